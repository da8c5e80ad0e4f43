"""The demo: draws a small corpus, and shows what Pagemill does with it."""
