"""Twins: books that their authors publish as HTML and as PDF, so that the one tells what the other should be read as."""
