"""What reaches the world: files, tables, models, programs, the network."""
