"""Spaced tables: the cells of a table that white space separates, from the places of its words and rules alone."""
