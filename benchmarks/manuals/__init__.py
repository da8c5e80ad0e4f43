"""A first build of thousands of pages: the manuals of free programs, fetched as packages of Debian."""
