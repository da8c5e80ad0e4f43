"""What each pass of parsing is worth: what leaving it out changes, on sets of documents with known truth."""
