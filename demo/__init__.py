"""A small corpus that draws itself, and a walk through everything Pagemill does with it."""
