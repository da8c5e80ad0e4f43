"""A language model behind an OpenAI-compatible endpoint: prompts, calls, kept answers, and what they cost."""
