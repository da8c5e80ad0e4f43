"""Conditions: what a caller wrote to select rows → SQL of which every part was understood."""
