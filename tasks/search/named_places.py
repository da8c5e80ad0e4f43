"""Named places: the pages, tables, figures and sections that a question names by their numbers.

"page 12", "pp. 3-5", "Table 3", "Figure 2-1", "section 4.2", "Item 7A", "Seite 12", "таблица 3", "3. táblázat", "第4章".
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tasks.search.place_words import AFTER, BEFORE, UNSPACED_AFTER, UNSPACED_BEFORE

MOST_PAGES = 20
"""A range of more pages is no place."""
ENDING = 4
"""Letters that a word may have behind its beginning."""
ABBREVIATED = 3
"""Words of so many letters have no ending, and those of one letter have a dot."""
DASHES = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"))
NUMBER_ENDS = r"(?![0-9A-Za-z]|[.\-]\d)"

_NUMBER = r"(?-i:[A-Z][.\-]?)?\d{1,4}(?:[.\-]\d{1,4})*(?-i:[A-Za-z](?![A-Za-z]))?"
_LETTER = r"(?-i:[IVX]{1,5}|[A-Z])"
_RANGE = r"\d{1,5}(?:\s?-\s?\d{1,5})?"
_PAGES = rf"{_RANGE}(?:\s?(?:,|&|and|und|et|y|e|en|i|и|og|och|、|和|と)\s?{_RANGE})*"


class Part(NamedTuple):
    """A table, figure or section: its kind, what it is called in lower case ("" for §), and its number in upper case."""

    kind: str
    word: str
    number: str


class Named(NamedTuple):
    """The pages and parts that a question names, and the question without its pages: their numbers stand in no text."""

    pages: frozenset[int]
    parts: frozenset[Part]
    rest: str

    @property
    def any(self) -> bool:
        """Return whether the question names a place."""
        return bool(self.pages or self.parts)


def called(words: Iterable[str]) -> str:
    """Return a pattern for words with their endings and dots."""
    return "|".join(
        re.escape(word) + (r"\." if len(word) == 1 else r"\.?" if len(word) <= ABBREVIATED else rf"[^\W\d_]{{0,{ENDING}}}\.?")
        for word in sorted(words, key=len, reverse=True)
    )


def _forms(kind: str, number: str) -> list[re.Pattern[str]]:
    """Return patterns for a number behind a word, before it, and the same where no blanks part words."""
    return [
        re.compile(pattern, re.IGNORECASE)
        for pattern in (
            rf"(?<![\w.])(?P<word>{called(BEFORE[kind])})\s{{0,2}}(?P<number>{number}){NUMBER_ENDS}",
            rf"(?<![\w.])(?P<number>{number})\.?\s(?P<word>{called(AFTER[kind])})(?!\w)",
            rf"(?P<word>{UNSPACED_BEFORE[kind]})\s?(?P<number>{number}){NUMBER_ENDS}",
            rf"[第제]?\s?(?<![0-9A-Za-z.\-])(?P<number>{number})\s?(?P<word>{UNSPACED_AFTER[kind]})",
        )
    ]


_PAGE = _forms("page", _PAGES)
_PARTS = {kind: _forms(kind, f"{_NUMBER}|{_LETTER}") for kind in BEFORE if kind != "page"}
_SIGN = re.compile(rf"§+\s?(?P<number>{_NUMBER})")
_DIGITS = re.compile(r"\d+")


def named_places(question: str) -> Named:
    """Return the places that a question names.

    >>> named = named_places("Was zeigt Tabelle 3.1 auf S. 12?")
    >>> sorted(named.pages), sorted(named.parts), named.rest
    ([12], [Part(kind='table', word='tabelle', number='3.1')], 'Was zeigt Tabelle 3.1 auf ?')
    """
    plain = plain_digits(question)
    pages = frozenset(page for pattern in _PAGE for found in pattern.finditer(plain) for page in _pages(found["number"]))
    parts = frozenset(part for kind, patterns in _PARTS.items() for part in _parts(kind, patterns, plain))
    signs = frozenset(Part("section", "", found["number"].upper()) for found in _SIGN.finditer(plain))
    rest = plain
    for pattern in _PAGE:
        rest = pattern.sub(" ", rest)
    return Named(pages, parts | signs, " ".join(rest.split()) if pages and rest.strip() else question)


def plain_digits(text: str) -> str:
    r"""Return a text with digits of all scripts as ASCII digits, and dashes as hyphens.

    >>> plain_digits("صفحة ١٢, 3\u20135")
    'صفحة 12, 3-5'
    """
    return _DIGITS.sub(lambda found: "".join(str(unicodedata.decimal(digit)) for digit in found[0]), text).translate(DASHES)


def _pages(numbers: str) -> Iterator[int]:
    for found in re.finditer(r"(\d+)(?:\s?-\s?(\d+))?", numbers):
        first, last = int(found[1]), int(found[2] or found[1])
        if first <= last < first + MOST_PAGES:
            yield from range(first, last + 1)


def _parts(kind: str, patterns: Iterable[re.Pattern[str]], question: str) -> Iterator[Part]:
    for pattern in patterns:
        for found in pattern.finditer(question):
            word, number = found["word"], found["number"]
            if any(map(str.isdigit, number)) or word[0].isupper():
                yield Part(kind, word.rstrip(".").lower(), number.upper())
