"""Plain text and markup languages."""
