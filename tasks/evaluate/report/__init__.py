"""The report: one HTML file of what evaluations found. Modules here turn values into HTML and SVG."""
