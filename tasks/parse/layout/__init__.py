"""Words of a page to lines, regions and reading order; headings and their levels."""
