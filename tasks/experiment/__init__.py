"""Experiment: recipes side by side on one folder of documents and one file of questions, with an index in memory."""
