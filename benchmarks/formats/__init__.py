"""Formats: files of many formats with known words and cells, and how much of them is read."""
