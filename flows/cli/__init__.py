"""The command line: one module per group of commands. Slow imports are made only when a command needs them."""
