"""Recipes of chunking and search, and their speed."""
