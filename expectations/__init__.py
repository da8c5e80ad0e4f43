"""What must hold: Great Expectations suites as data."""
