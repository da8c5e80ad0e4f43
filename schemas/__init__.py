"""What the data is: one module per table, options, errors. Imports nothing of Pagemill above it."""
