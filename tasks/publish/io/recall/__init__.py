"""The recall of the index of vectors: measured, kept with a run, judged."""
