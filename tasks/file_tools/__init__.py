"""Single files on the command line: the same steps, without a corpus."""
