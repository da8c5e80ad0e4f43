"""Evaluate a corpus: metrics from questions with known answers."""
