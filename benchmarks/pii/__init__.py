"""Personal data: drawn texts in five languages, whose values are known, and numbers that only look like personal data."""
