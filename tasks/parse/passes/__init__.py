"""Passes: all that corrects the regions of a page, in one table, and what runs it."""
