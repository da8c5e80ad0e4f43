"""What the data is: one module per table, options, errors. Imports no other package of Pagemill."""
