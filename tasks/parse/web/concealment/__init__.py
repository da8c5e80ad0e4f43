"""What of an HTML page nobody sees."""
