"""Charts as programs draw them."""
