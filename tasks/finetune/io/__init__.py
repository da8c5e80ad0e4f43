"""Fine-tuning where it reaches the world: the corpus, the model in torch, the folder of the new one."""
