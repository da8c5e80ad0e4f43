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


@pytest.mark.parametrize(
    ("sure", "again", "languages"),
    [(4, 0.9, "rus+eng"), (4, 0.55, "eng"), (12, 0.9, "rus+eng"), (12, 0.45, "eng")],
    ids=["half of a page", "half of a page, not read in it", "a part", "a part, not read in it"],
)
def test_a_script_that_is_not_sure_is_tried_where_a_part_was_not_read_and_kept_if_it_helps(
    monkeypatch: pytest.MonkeyPatch, sure: int, again: float, languages: str
) -> None:
    def read(page: Any, turn: float, scale: float, languages: str) -> reading.PageReading:
        code = [OcrWord("letters", (0, 20 * n, 40, 20 * n + 10), 0.9, (1, 1), n) for n in range(sure)]
        text = [OcrWord("ncTopua", (0, 400 + 20 * n, 40, 410 + 20 * n), 0.4, (2, 1), n) for n in range(4)]
        if languages == "rus+eng":
            text = [word._replace(text="история", confidence=again) for word in text]
        picture, bare = Image.new("L", (600, 600)), np.zeros((600, 600), dtype=np.uint8)
        return reading.PageReading(view_of(page, turn), picture, bare, NO_RULES, [*code, *text], languages)

    monkeypatch.setattr(reading, "_read", read)
    monkeypatch.setattr(reading, "_with_missed", lambda read: read)
    monkeypatch.setattr(reading, "skew_of", lambda picture: 0.0)
    monkeypatch.setattr(tesseract, "installed", lambda: frozenset({"eng", "rus"}))
    monkeypatch.setattr(tesseract, "orientation_of", lambda picture: tesseract.Orientation(0, None, "Cyrillic"))
    with pymupdf.open() as document:
        assert reading.read_upright(document.new_page(), ParseOptions()).languages == languages


@pytest.mark.parametrize(("confidence", "text", "modes"), [(0.3, "3.1", [reading.SCATTERED]), (0.9, "SL", [])])
def test_a_doubtful_cell_is_read_again_as_scattered_text(
    monkeypatch: pytest.MonkeyPatch, confidence: float, text: str, modes: list[int]
) -> None:
    asked = []

    def again(picture: Any, languages: str, mode: int = 3) -> list[OcrWord]:
        asked.append(mode)
        assert picture.size == (80, 50)
        return [OcrWord("3.1", (40, 40, 60, 50), 0.9, (1, 1), 1)]

    monkeypatch.setattr(tesseract, "read_words", again)
    words = [
        OcrWord("assertions", (5, 90, 40, 100), 0.99, (1, 1), 1),
        OcrWord("SL", (160, 90, 180, 100), confidence, (1, 1), 1),
    ]
    bare = np.full((100, 200), 255, dtype=np.uint8)
    bare[90:100, 5:40] = bare[90:100, 160:180] = 0
    with pymupdf.open() as document:
        page = document.new_page()
        seen = reading.PageReading(view_of(page, 0), Image.fromarray(bare), bare, NO_RULES, words, "eng")
        monkeypatch.setattr(reading, "_read", lambda *_: seen)
        found = reading.read_upright(page, ParseOptions(ocr_languages="eng"))
    assert [word.text for word in found.words] == ["assertions", text]
    assert asked == modes
