"""Questions to a language model: the calls, the cache of its answers, and what they cost."""
