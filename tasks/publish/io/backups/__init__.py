"""Backups: copies of a published generation that can be restored elsewhere."""
