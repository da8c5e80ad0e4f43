"""Personal data: found in texts by kind, replaced, and told by keyed hashes."""
