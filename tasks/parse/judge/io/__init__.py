"""The files of the learned judges."""
