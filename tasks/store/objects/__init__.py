"""Object storage: objects by bucket and key, places with the ways of pathlib, leases instead of locks, what is private here."""
