"""Questions: read from files, located in a corpus, asked of a language model, written."""
