"""Access: who may read and write what a corpus holds."""
