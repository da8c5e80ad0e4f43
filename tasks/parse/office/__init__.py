"""DOCX and PPTX."""
