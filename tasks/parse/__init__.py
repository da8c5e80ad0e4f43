"""One file to elements."""
