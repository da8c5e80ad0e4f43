"""Regions of tables to cells."""
