"""Quality, time, tables and robustness of parse."""
