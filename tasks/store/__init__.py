"""Where bytes and tables lie: files, staging, Lance tables, locks, published generations. This room is all input and output."""
