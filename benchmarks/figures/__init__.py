"""Types and texts of figures."""
