"""What of an experiment reaches the world: documents, models, tables, files."""
