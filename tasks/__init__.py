"""One step each: read, transform, conform, stage."""
