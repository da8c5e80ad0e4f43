"""Engines of CPUs: NumPy, and OpenVINO."""
