"""Calls to the endpoint, and the cache of answers."""
