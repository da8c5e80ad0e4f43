"""What reaches the world: the corpus's embedder, the local encoder, and language models that read and judge."""
