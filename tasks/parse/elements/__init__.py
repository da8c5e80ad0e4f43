"""Elements: the rows that parse stages, whatever the format."""
