"""Read the logs of a corpus folder, and write the report."""
