"""Which of PyMuPDF's layout models reads which pages, by the features that it was trained with."""

DIGITAL_FEATURES = "rf"
"""Features of text and vectors only: half the time of the model that also sees the page's picture, and better order."""
SCAN_FEATURES = "imf+rf"
