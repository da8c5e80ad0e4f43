"""The change feed, and deliveries."""
