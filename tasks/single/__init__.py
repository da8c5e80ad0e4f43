"""The same steps for one file on the command line, without a corpus."""
