"""Links: the addresses behind words of a page, stored with the element that contains the words."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from schemas import records
from schemas.records import Element
from tasks.parse.layout.geometry import Box, area, as_box, centre, holds
from tasks.parse.layout.prose import clean, join_lines
from tasks.parse.layout.words import Word, rows_of, words_in

WITHOUT = ("furniture", "figure")
"""Kinds of elements without links, because their text is not that of the words on the page."""


class Link(NamedTuple):
    """An address and its clickable rectangle. An address whose words fill two lines is two links."""

    uri: str
    box: Box


def with_links(
    found: Sequence[tuple[Element, float]], words: Sequence[Word], links: Sequence[Link]
) -> list[tuple[Element, float]]:
    """Return a page's elements with their links: the linked words of the element, and their addresses."""
    places = [_place(link, found) for link in links]
    known: dict[int, list[records.Link]] = {}
    for (n, uri), run in groupby(zip(places, links, strict=True), key=lambda pair: (pair[0], pair[1].uri)):
        if n is not None:
            known.setdefault(n, []).extend(_links(uri, found[n][0]["text"], [words_in(words, link.box) for _, link in run]))
    return [({**element, "links": known.get(n) or None}, size) for n, (element, size) in enumerate(found)]


def _place(link: Link, found: Sequence[tuple[Element, float]]) -> int | None:
    """Return the smallest element that contains the link, None if there is none."""
    boxes = {n: as_box(e["bbox"]) for n, (e, _) in enumerate(found) if e["bbox"] and e["kind"] not in WITHOUT}
    around = [n for n, box in boxes.items() if holds(box, centre(link.box))]
    return min(around, key=lambda n: area(boxes[n]), default=None)


def _links(uri: str, text: str, lines: Sequence[Sequence[Word]]) -> list[records.Link]:
    """Return one link for all lines if they are consecutive in the text, else one per line; none for words not in the text."""
    address = clean(uri).strip()
    whole = _text(word for line in lines for word in line)
    names = [whole] if whole in text else [_text(line) for line in lines]
    return [{"text": name, "uri": address} for name in names if name and address and name in text]


def _text(words: Iterable[Word]) -> str:
    return join_lines([row.text for row in rows_of(words)])


def as_links(text: str, links: Iterable[records.Link]) -> str:
    """Return a Markdown text with its links; words that are the address itself stay as they are.

    >>> as_links("See the rules at kelp.org.", [{"text": "rules", "uri": "https://a.b/(c)"}, {"text": "kelp.org", "uri": "https://kelp.org"}])
    'See the [rules](https://a.b/%28c%29) at kelp.org.'
    """
    spans: list[tuple[int, int, str]] = []
    for link in links:
        start = _free(text, link["text"], spans)
        if start >= 0 and link["text"] not in link["uri"]:
            spans.append((start, start + len(link["text"]), link["uri"]))
    for start, end, uri in sorted(spans, reverse=True):
        address = uri.replace(" ", "%20").replace("(", "%28").replace(")", "%29")
        text = f"{text[:start]}[{text[start:end]}]({address}){text[end:]}"
    return text


def _free(text: str, words: str, taken: Sequence[tuple[int, int, str]]) -> int:
    """Return where `words` first occur outside the spans that are taken, -1 if they do not."""
    at = text.find(words)
    while at >= 0 and any(at < end and start < at + len(words) for start, end, _ in taken):
        at = text.find(words, at + 1)
    return at
