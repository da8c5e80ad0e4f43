"""Languages: which one a text is in, and the terms by which full-text search finds it."""
