"""The figures that the figure model learns from: drawn, typeset or taken from free pictures, each by its seed alone."""
