"""Outline: finds the headings that a PDF's own outline names among the elements of its pages."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from schemas.records import Element
from schemas.tables.elements import HEADINGS
from tasks.parse.layout.captions import LABEL

PROMOTED = ("paragraph", "list_item", "caption", "furniture")
"""Kinds that become headings where the outline names them."""
_NUMBER = re.compile(r"^(?:chapter|section|part|appendix)?\s*(?:\d+(?:\.\d+)*|[ivxlc]+|[a-z])[.):]?\s+", re.IGNORECASE)


class OutlineEntry(NamedTuple):
    """One line of the outline. Levels and pages count from 1."""

    level: int
    title: str
    page_number: int


def outlined(found: Sequence[tuple[Element, float]], outline: Iterable[OutlineEntry]) -> list[tuple[Element, float]]:
    """Return the elements, those that the outline names as headings with its level. All others have no level yet.

    Lines of the outline that name tables and figures are ignored. A heading is searched on the page that the outline names, by
    its text without case, punctuation and, if necessary, number. Repeated text at the edges of pages is a running header and not
    the heading that it quotes.
    """
    levels = _found_levels([element for element, _ in found], outline)
    return [
        ({**element, "kind": "title" if element["kind"] == "title" else "heading", "level": levels[n]}, size)
        if n in levels
        else (element, size)
        for n, (element, size) in enumerate(found)
    ]


def _found_levels(elements: Sequence[Element], outline: Iterable[OutlineEntry]) -> dict[int, int]:
    places: dict[tuple[int, str], list[int]] = defaultdict(list)
    running = Counter(_plain(element["text"]) for element in elements if element["kind"] == "furniture")
    for n, element in enumerate(elements):
        name = _plain(element["text"])
        fits = element["kind"] in HEADINGS or (element["kind"] in PROMOTED and running[name] < 2)
        for key in {name, _plain(_bare(element["text"]))} - {""} if fits else ():
            places[element["page_number"], key].append(n)
    levels: dict[int, int] = {}
    for entry in (entry for entry in outline if not LABEL.match(entry.title)):
        names = [_plain(entry.title), _plain(_bare(entry.title))]
        free = [[n for n in places.get((entry.page_number, name), ()) if n not in levels] for name in names if name]
        candidates = next(filter(None, free), [])
        if candidates:
            levels[
                min(candidates, key=lambda n: (elements[n]["kind"] not in HEADINGS, elements[n]["kind"] == "furniture", n))
            ] = entry.level
    return levels


def _bare(text: str) -> str:
    return _NUMBER.sub("", text.strip())


def _plain(text: str) -> str:
    """Return only letters and digits, in one case."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))
