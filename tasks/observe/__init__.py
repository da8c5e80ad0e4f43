"""What other programs are told of a refresh: lineage, traces and metrics."""
