"""The order of the steps: flows and the command line."""
