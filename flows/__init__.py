"""In which order: flows and the command line."""
