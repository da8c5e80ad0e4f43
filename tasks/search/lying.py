"""Lying: which chunks of a document lie at the places that a question names."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from tasks.search.named_places import NUMBER_ENDS, Named, Part, called, plain_digits
from tasks.search.place_words import AFTER, BEFORE, UNSPACED_BEFORE

PAGE = 0.5
"""Who names a page may err, and asks for more than the page. With 1, right pages gain no more than wrong ones lose."""
LEAST_PRINTED = 3
"""Pages whose printed numbers must agree before it is known how far they are off."""
SAME_LETTERS = 3
"""Items are no notes: what a section is called in the question and in its heading begins with the same letters."""

_WORDS = {kind: re.compile(f"{called({*BEFORE[kind], *AFTER[kind]})}|{UNSPACED_BEFORE[kind]}", re.IGNORECASE) for kind in BEFORE}
_PRINTED = re.compile(r"\D{0,40}?(?<![\d.,])(\d{1,4})(?![\d.,]\d|\d)\D{0,40}")


def lying(named: Named, pages: Sequence[int], section: Sequence[str], text: str, off: int = 0) -> frozenset[object]:
    """Return the named pages and parts at which a chunk lies, from its pages, its section's path, and its text with its caption.

    `off` is how far the printed numbers of pages are off, see `printed_off`; a page is meant by either number.
    """
    found: set[object] = {page for page in named.pages if page in pages or page + off in pages}
    return frozenset(found | {part for part in named.parts if _is_in(part, section, text)})


def shares(lying: Mapping[str, frozenset[object]]) -> dict[str, float]:
    """Return for each chunk that lies at a named place its share of those places at which any chunk lies, in (0, 1].

    A page counts PAGE of a table, figure or section.

    >>> shares({"a": frozenset([12]), "b": frozenset()})
    {'a': 0.5}
    """
    n = len(frozenset[object]().union(*lying.values()))
    return {name: sum(map(_counting, places)) / n for name, places in lying.items() if places}


def at_all(lying: Mapping[str, frozenset[object]]) -> frozenset[str]:
    """Return the chunks that lie at all named places at which any chunk lies.

    >>> sorted(at_all({"a": frozenset([12]), "b": frozenset()}))
    ['a']
    """
    found = frozenset[object]().union(*lying.values())
    return frozenset(name for name, places in lying.items() if places and places == found)


def _counting(place: object) -> float:
    return PAGE if isinstance(place, int) else 1.0


def printed_off(furniture: Iterable[tuple[int, str]]) -> int:
    """Return how much the number of a page exceeds the one that is printed on it; 0 if that is not known.

    `furniture` are numbers of pages with the texts of their running headers and footers. Most pages with a number must agree.

    >>> printed_off([(9, "1"), (10, "Annual report 2"), (11, "3"), (12, "2023")])
    8
    """
    seen = [(page, found) for page, text in furniture if (found := _PRINTED.fullmatch(text.strip()))]
    counts = Counter(page - int(found[1]) for page, found in seen)
    off, n = counts.most_common(1)[0] if counts else (0, 0)
    return off if n >= LEAST_PRINTED and 2 * n > len({page for page, _ in seen}) else 0


def _is_in(part: Part, section: Sequence[str], text: str) -> bool:
    if part.kind == "section":
        return any(_is_heading(part, heading) for heading in section)
    found = _caption(part.number).finditer(plain_digits(text))
    return any(_WORDS[part.kind].fullmatch(caption["before"] or caption["after"]) for caption in found)


def _is_heading(part: Part, heading: str) -> bool:
    found = _numbered(part.number).match(plain_digits(heading))
    word = found["word"].lower() if found and found["word"] else ""
    return bool(found) and (not word or not part.word or word[:SAME_LETTERS] == part.word[:SAME_LETTERS])


@lru_cache(maxsize=256)
def _caption(number: str) -> re.Pattern[str]:
    own = re.escape(number)
    before = rf"(?P<before>[^\W\d_]{{1,16}}\.?)\s{{0,3}}{own}{NUMBER_ENDS}"
    return re.compile(rf"^[\W_]{{0,6}}(?:{before}|{own}\.?\s(?P<after>[^\W\d_]{{1,16}}\.?))", re.MULTILINE | re.IGNORECASE)


@lru_cache(maxsize=256)
def _numbered(number: str) -> re.Pattern[str]:
    """Return a pattern for the beginning of a heading: 4.2, Section 4.2, 4.2.1, 第4章."""
    deeper = r"(?:[.\-]\d+)*" if number[-1].isdigit() else ""
    start = r"\W*(?:[第제]\s?|(?P<word>[^\W\d_]{1,16})\.?\s{0,2})?"
    return re.compile(rf"{start}{re.escape(number)}{deeper}(?![0-9A-Za-z])", re.IGNORECASE)
