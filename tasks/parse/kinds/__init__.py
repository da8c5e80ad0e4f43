"""What the parts of a page are, where the layout model is mistaken: by what stands beside them."""
