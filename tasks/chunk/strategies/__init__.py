"""The ways to cut a document, one module for those of a kind."""
