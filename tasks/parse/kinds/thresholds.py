"""Thresholds that several rules of headings share. A number that only one of them needs stands in its module."""

NO_LARGER = 1.05
"""Largest type that is no larger than the text's, as a multiple of it."""
SMALLER = 0.95
"""Largest type that is smaller than another, as a multiple of it."""
ALIGNED = 0.5
"""Largest distance between left edges, or middles, that are the same, in type sizes."""
