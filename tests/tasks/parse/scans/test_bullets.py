"""Bullets before the items of scanned lists."""

import numpy as np
import pytest

from tasks.parse.scans.bullets import BULLET, with_bullets
from tasks.parse.scans.words import OcrWord

PAPER = 250


def word(text: str, left: float, right: float, top: float = 20, bottom: float = 40) -> OcrWord:
    return OcrWord(text, (left, top, right, bottom), 0.4, (1, 1), 1)


def drawn(kind: str, left: int = 42, top: int = 26, side: int = 9) -> np.ndarray:
    """Return a page with one mark, and a word as a grey of letters behind it."""
    page = np.full((60, 200), PAPER, dtype=np.uint8)
    ys, xs = np.mgrid[:side, :side] - (side - 1) / 2
    ring = np.hypot(xs, ys) <= side / 2
    shapes = {"disc": ring, "square": np.ones_like(ring), "ring": ring & (np.hypot(xs, ys) >= side / 2 - 2), "line": ys == 0}
    page[top : top + side, left : left + side][shapes[kind]] = 10
    page[20:40:2, 70:140] = 10
    return page


@pytest.mark.parametrize("kind", ["disc", "square"])
@pytest.mark.parametrize("read", ["+", "\u3002", "\u00a2", "e"])
def test_a_solid_dot_before_a_line_is_a_bullet_whatever_it_is_read_as(kind: str, read: str) -> None:
    found = with_bullets([word(read, 42, 51, 26, 35), word("item", 70, 140)], drawn(kind))
    assert [each.text for each in found] == [BULLET, "item"]


def test_a_bullet_that_was_passed_over_is_found() -> None:
    found = with_bullets([word("item", 70, 140)], drawn("disc"))
    assert [each.text for each in found] == [BULLET, "item"]
    assert found[0].box == (42, 26, 51, 35)


@pytest.mark.parametrize(
    ("kind", "left", "top", "side"),
    [
        ("ring", 42, 26, 9),
        ("line", 42, 26, 9),
        ("disc", 42, 34, 5),
        ("disc", 42, 20, 19),
        ("disc", 2, 26, 9),
        ("disc", 60, 26, 9),
    ],
)
def test_rings_dashes_stops_and_what_is_large_or_far_or_touches_the_text_is_none(
    kind: str, left: int, top: int, side: int
) -> None:
    words = [word("o", left, left + side, top, top + side), word("item", 70, 140)]
    assert with_bullets(words, drawn(kind, left, top, side)) == words
    assert with_bullets(words[1:], drawn(kind, left, top, side)) == words[1:]


def test_a_ring_is_a_bullet_where_it_is_read_as_what_begins_no_line() -> None:
    found = with_bullets([word("\u3002", 42, 51, 26, 35), word("item", 70, 140)], drawn("ring"))
    assert [each.text for each in found] == [BULLET, "item"]


def test_numbers_and_words_beside_a_line_are_no_bullets() -> None:
    words = [word("1", 42, 51, 26, 35), word("item", 70, 140)]
    assert [each.text for each in with_bullets(words, drawn("disc"))] == ["1", "item"]
    assert with_bullets([], drawn("disc")) == []
