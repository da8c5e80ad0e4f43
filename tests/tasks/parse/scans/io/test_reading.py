"""In which position a scanned page is read."""

from typing import Any

import numpy as np
import pymupdf
import pytest
from PIL import Image

from schemas.options.sections import ParseOptions
from tasks.parse.layout.rules import NO_RULES
from tasks.parse.scans.io import reading, tesseract
from tasks.parse.scans.io.upright import view_of
from tasks.parse.scans.words import OcrWord


@pytest.mark.parametrize(("levelled", "degrees"), [(0.9, 2.0), (0.6, 0.0)])
def test_a_skew_page_is_read_as_it_came_only_if_it_is_not_read_surely_when_levelled(
    monkeypatch: pytest.MonkeyPatch, levelled: float, degrees: float
) -> None:
    def read(page: Any, turn: float, scale: float, languages: str) -> reading.PageReading:
        confidence = {(2.0, "eng"): 0.4, (2.0, "rus+eng"): levelled, (0.0, "rus+eng"): 0.95}[turn, languages]
        word = OcrWord("letters", (0, 0, 40, 10), confidence, (1, 1), 1)
        return reading.PageReading(
            view_of(page, turn), Image.new("L", (40, 40)), np.zeros((40, 40), dtype=np.uint8), NO_RULES, [word], languages
        )

    monkeypatch.setattr(reading, "_read", read)
    monkeypatch.setattr(reading, "skew_of", lambda picture: -2.0)
    monkeypatch.setattr(tesseract, "installed", lambda: frozenset({"eng", "rus"}))
    monkeypatch.setattr(tesseract, "orientation_of", lambda picture: tesseract.Orientation(0, "Cyrillic", "Cyrillic"))
    with pymupdf.open() as document:
        assert reading.read_upright(document.new_page(), ParseOptions()).view.degrees == degrees
