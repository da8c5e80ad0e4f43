"""Commands about other models for a corpus: candidates beside it, and fine-tuning."""
