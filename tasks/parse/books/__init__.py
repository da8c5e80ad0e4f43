"""Pages of HTML in one file: EPUB, MHTML and web archives."""
