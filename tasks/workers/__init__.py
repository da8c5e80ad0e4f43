"""Worker processes: pools, limits, progress. This room is all input and output."""
