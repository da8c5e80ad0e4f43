"""What a corpus costs in an object store: seconds beside a folder, and requests."""
