"""Fine-tuning: an embedder learns from questions whose answers a corpus holds; whether that helped, others tell."""
