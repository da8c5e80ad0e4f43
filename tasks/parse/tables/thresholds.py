"""Thresholds that several readers of tables share. A number that only one of them needs stands in its module."""

FLUSH = 1.5
"""Largest distance of words that start at one place, in points."""
ALIKE = 1.08
"""Largest ratio of type sizes of the rows of one table: sizes that differ by rounding alone."""
LARGER = 1.1
"""Smallest type size of a heading that is larger than the table that it stands above or in, by that of the table."""
ACROSS = 0.6
"""Smallest share of a table's width, or of its columns, that a rule between rows goes over."""
