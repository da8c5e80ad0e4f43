"""What must be true of a draft: Great Expectations suites as data."""
