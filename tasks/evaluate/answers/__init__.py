"""Answers: what a reader makes of the results of a search, and how good that is."""
