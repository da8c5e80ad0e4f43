"""Elements: the rows that parse stages, the same for all formats."""
