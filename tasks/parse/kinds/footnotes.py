"""Footnotes that the layout model takes for running footers, whose text nobody is shown: their mark is in the text above."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tasks.parse.layout.regions import Region

FEWEST_WORDS = 2
"""Fewest words with letters of a footnote."""
_NOTE = r"(\d{1,3}|[*†‡§¶])"
_MARK = re.compile(rf"\(?{_NOTE}[.)]?")
_CLOSING = "[.,;:)\"'\N{RIGHT DOUBLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK}]"
_MARKED = re.compile(rf"(?:\^\(?{_NOTE}\)?|\[{_NOTE}\]|([⁰¹²³⁴-⁹]{{1,3}}|[*†‡§¶])|[^\d\s]{_CLOSING}+(\d{{1,3}})){_CLOSING}*$")
"""The mark of a note at the end of a word: raised, in brackets, or behind a sentence: PDFs seldom tell that it is raised."""


def with_footnotes(regions: Sequence[Region]) -> list[Region]:
    """Return the regions of a page, those footers as footnotes that begin with a mark that is raised in the text."""
    marks = {mark for region in regions if region.kind != "furniture" for mark in _marks_in(region)}
    return [replace(region, kind="footnote") if _is_footnote(region, marks) else region for region in regions]


def _marks_in(region: Region) -> Iterator[str]:
    for word in region.words:
        if found := _MARKED.search(word.text):
            yield _plain(found[found.lastindex or 0])


def _is_footnote(region: Region, marks: set[str]) -> bool:
    if region.kind != "furniture" or sum(any(map(str.isalpha, word.text)) for word in region.words) < FEWEST_WORDS:
        return False
    found = _MARK.fullmatch(_plain(region.words[0].text))
    return found is not None and found[1] in marks


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text)
