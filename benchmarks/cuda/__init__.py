"""What a GPU makes of Pagemill: embedding, its vectors, memory, figures, the chain of steps, and several processes."""
