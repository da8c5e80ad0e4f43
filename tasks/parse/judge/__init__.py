"""What of a page was learned from labelled documents rather than written as rules: features, and trees that judge them."""
