"""Fine-tuning: an embedder learns from questions about a corpus, and is compared with its base on held-out questions."""
