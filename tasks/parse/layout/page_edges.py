"""Edges of pages: where running headers and footers stand, and what a page number looks like."""

import re

PAGE_NUMBER = re.compile(r"^[\W_]*(?:page\s+)?(?:\d{1,5}|[ivxlcdm]{1,8})(?:\s*(?:/|of)\s*\d{1,5})?[\W_]*$", re.IGNORECASE)
MARGIN = 0.12
"""Share of the page's height, at its top and bottom, for running headers and footers."""
