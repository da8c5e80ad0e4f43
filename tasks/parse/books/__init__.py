"""Pages of HTML in one file: EPUB and MHTML."""
