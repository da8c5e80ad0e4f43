"""Typefaces of scanned words: size, pitch and weight."""
