"""reStructuredText, read by its block structure: nothing that a document asks for is fetched, included or run."""
