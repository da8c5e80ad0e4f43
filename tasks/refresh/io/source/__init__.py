"""The source of a refresh as it lies there: its files, what is said of them beside them, and what they hold."""
