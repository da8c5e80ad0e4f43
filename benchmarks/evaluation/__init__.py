"""Whether the statistics of an evaluation keep their promises, on scores that are drawn."""
