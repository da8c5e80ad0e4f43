"""Search: passages with citations for a question."""
