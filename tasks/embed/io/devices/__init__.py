"""The devices that torch computes on: one, or several GPUs with a process each."""
