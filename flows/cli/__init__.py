"""The command line: one module per group of commands. Heavy imports wait until a command needs them."""
