"""Pages without usable text: OCR."""
