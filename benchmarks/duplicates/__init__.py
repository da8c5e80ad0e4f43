"""How well and how fast documents that say nearly the same are found."""
