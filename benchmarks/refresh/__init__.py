"""The time of a refresh."""
