"""What reads the versions of tables, and writes to the places that changes are delivered to."""
