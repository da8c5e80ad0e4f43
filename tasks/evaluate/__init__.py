"""Questions with known answers to metrics."""
