"""Normalised HTML in the languages of Typst, LaTeX and LibreOffice. All of it is pure."""
