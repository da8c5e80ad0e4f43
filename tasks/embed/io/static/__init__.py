"""Static vectors: one vector for each token of a vocabulary. That of a text is their mean."""
