"""Typesetters: each module sets sources in a style as PDF files."""
