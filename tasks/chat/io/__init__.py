"""Calls to the endpoint, and the files of kept answers."""
