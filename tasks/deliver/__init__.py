"""Deliver: what changed between two generations, and its way to other places."""
