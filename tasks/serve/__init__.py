"""Serve a published corpus: a question over HTTP or MCP → passages, documents, pictures of pages."""
