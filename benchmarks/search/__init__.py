"""How fast a corpus of a hundred thousand to a million chunks answers, and how exactly."""
