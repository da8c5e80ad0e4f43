"""Figures to types, words and descriptions; elements to the text of a document."""
