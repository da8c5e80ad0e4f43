"""Rankings on corpora of several kinds, with questions whose answers are known."""
