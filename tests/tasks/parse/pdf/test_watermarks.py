from collections.abc import Callable

import pytest

from tasks.parse.layout.words import Word
from tasks.parse.pdf.watermarks import watermarks
from tests.tasks.parse.layout.typed_pages import Typed, prose, words_of

BODY = words_of(prose(20, 100))


def mark(text: str, x: float = 100, y: float = 120, size: float = 60, turn: int = 45, line: int = 900) -> list[Word]:
    """Return words one after the other, in boxes as high and wide as turned words have."""
    words = []
    for part in text.split():
        width, height = (len(part) * size / 2, size) if turn % 180 == 0 else (len(part) * size / 3,) * 2
        words.append(Word((x, y, x + width, y + height), part, 90, line, size, False, turn))
        x += width + size / 3
    return words


def tiles(text: str, n: int, size: float = 12) -> list[Word]:
    return [word for k in range(n) for word in mark(text, 60 + 90 * (k % 5), 110 + 60 * (k // 5), size, 30, 900 + k)]


MARKED: dict[str, Callable[[], list[Word]]] = {
    "aslant": lambda: mark("DRAFT"),
    "two words aslant": lambda: mark("DRAFT COPY", size=50),
    "downwards": lambda: mark("CONFIDENTIAL", size=40, turn=315),
    "hardly aslant": lambda: mark("DRAFT", turn=12),
    "just large enough": lambda: mark("DRAFT", size=21),
    "across the text": lambda: mark("SAMPLE", turn=0),
    "two words across the text": lambda: mark("NOT FINAL", turn=0, size=50),
    "upwards across the text": lambda: mark("DRAFT", turn=90, size=60),
    "small and often": lambda: tiles("ada@kelp.org", 10),
    "small and three times": lambda: tiles("licensed to Ada", 3),
    "in Russian": lambda: mark("\u0427\u0415\u0420\u041d\u041e\u0412\u0418\u041a"),
    "in Chinese": lambda: mark("\u8349\u7a3f"),
}


@pytest.mark.parametrize("way", MARKED)
def test_a_watermark_is_found_whole(way: str) -> None:
    own = MARKED[way]()
    assert [word for line in watermarks([*BODY, *own]) for word in line] == own


STAYS: dict[str, Callable[[], list[Word]]] = {
    "text alone": lambda: BODY,
    "a title": lambda: [*words_of([Typed("The mill", 20, size=40)]), *BODY],
    "an initial": lambda: [*words_of([Typed("T", 80, 20, size=30)]), *BODY],
    "a number beside the text": lambda: [*mark("7", x=520, turn=0), *BODY],
    "names of ticks aslant": lambda: (
        [word for n, name in enumerate(("May", "June", "July")) for word in mark(name, 60 * n, 600, 9, 45, 900 + n)] + BODY
    ),
    "one tick name aslant": lambda: [*mark("May", size=9), *BODY],
    "a poster": lambda: [*mark("GREAT SALE TODAY"), *words_of([Typed("until the end of May only", 500)])],
    "a sign of a few words": lambda: mark("DRAFT"),
    "a heading upwards beside the text": lambda: [*mark("Part", x=5, y=300, size=40, turn=90)[:1], *BODY],
    "quotation in large type": lambda: [*words_of([Typed("It turns and turns", 420, size=24)]), *BODY],
    "a cell upside down": lambda: [*mark("Total", y=500, size=9, turn=180), *BODY],
    "nothing": list,
}


@pytest.mark.parametrize("way", STAYS)
def test_other_words_are_none(way: str) -> None:
    assert watermarks(STAYS[way]()) == []
