"""Charts: SVG made of values. A chart is 380 units wide, a width at which its letters can be read on a phone."""
