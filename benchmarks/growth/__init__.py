"""How the cost of a refresh grows with the corpus."""
