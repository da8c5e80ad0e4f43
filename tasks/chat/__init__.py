"""A language model behind an OpenAI-compatible endpoint: prompts, calls, a cache of answers, and costs."""
