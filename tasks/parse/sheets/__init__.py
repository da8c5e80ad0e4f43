"""Workbooks and delimited files: cells as people see them → tables with places."""
