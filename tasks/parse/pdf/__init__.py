"""PDF and TIFF."""
