"""OpenAI-compatible endpoints: the calls, and vectors from them."""
