"""Sources: where documents come from. Each lists its files and gives their bytes, in its own way."""
