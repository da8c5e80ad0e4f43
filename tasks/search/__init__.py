"""A question to passages with citations."""
