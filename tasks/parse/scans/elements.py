"""Elements of scanned pages: their OCR confidence."""

from collections.abc import Sequence

from tasks.parse.elements.from_regions import Element
from tasks.parse.layout.geometry import centre, holds
from tasks.parse.scans.words import ScannedWord


def with_confidence(elements: Sequence[Element], seen: Sequence[ScannedWord]) -> list[Element]:
    """Return elements with the mean confidence of the letters in them; null for those without words."""
    return [{**found, "confidence": _confidence(found, seen)} for found in elements]


def _confidence(found: Element, seen: Sequence[ScannedWord]) -> float | None:
    box = tuple(found["bbox"].values())
    inside = [word for word in seen if holds(box, centre(word.word.box))]
    letters = sum(len(word.word.text) for word in inside)
    return sum(word.confidence * len(word.word.text) for word in inside) / letters if letters else None
