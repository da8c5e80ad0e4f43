"""Text to spans."""
