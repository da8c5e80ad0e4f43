"""Cutting: long documents become several sources, and a source is shortened to what some pages hold."""

import re
from typing import Any

LINE = 70
"""Characters that a block takes beside its text, for the space around it; a row of a table takes as many at least."""
LEAST, MOST = 1500, 9000
"""Weights of a piece: half a page and four pages of A4."""
MAX_CELLS = 100
"""Cells of a piece in all: the scorer's time grows with their cube."""
_UNTELLABLE = re.compile(r"</?\s*(table|t[rdh]|thead|tbody|caption)\b|[\ue000-\uf8ff\ufffd]", re.IGNORECASE)
"""Text that the scorer would take for a table, and characters that no font has."""
_WIDE = re.compile("[\u2e80-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]")


def pieces(body: str) -> list[str]:
    """Cut a normalised fragment at its headings into pieces of LEAST to MOST; what is longer below one heading loses its end."""
    sections: list[list[Any]] = []
    for block in _parse(body):
        if _is_heading(block) and not (sections and all(map(_is_heading, sections[-1]))):
            sections.append([])
        if not sections:
            sections.append([])
        sections[-1].append(block)
    made: list[list[Any]] = [[]]
    for section in sections:
        if made[-1] and sum(map(weight, made[-1] + section)) > MOST:
            made.append([])
        made[-1] += section
    cut = (shorten(_write(blocks), MOST) for blocks in made)
    return [piece for piece in cut if sum(map(weight, _parse(piece))) >= LEAST and tellable(piece)]


def tellable(body: str) -> bool:
    """Return whether a fragment has no text that the scorer would take for markup, and no characters without a glyph."""
    return not any(_UNTELLABLE.search("".join(block.itertext())) for block in _parse(body))


def shorten(body: str, most: float, cells: int = MAX_CELLS) -> str:
    """Return the blocks from the start that weigh `most` together and have `cells` cells; of a list or table, what still fits.

    Headings at the end, below which nothing is left, go too.
    """
    kept: list[Any] = []
    for block in _parse(body):
        room = most - sum(map(weight, kept))
        fitting = _fitting(block, room, cells - sum(map(_n_cells, kept)))
        if fitting is not None:
            kept.append(fitting)
        if fitting is None or weight(block) > room:
            break
    while kept and _is_heading(kept[-1]):
        kept.pop()
    return _write(kept)


def weight(block: Any) -> float:
    """Return about how many characters of running text take the room of a block."""
    text = "".join(block.itertext())
    n_lines = sum(1 for _ in block.iter("p", "li", "dt", "dd", "tr", "h1", "h2", "h3", "h4")) or 1
    if block.tag == "pre":
        return float(sum(max(LINE, len(line)) for line in text.splitlines()))
    return len(text) + len(_WIDE.findall(text)) + LINE * n_lines


def _fitting(block: Any, room: float, cells: int) -> Any | None:
    """Return a block as far as it fits into the room: whole, or its first children, at least two; else None."""
    if weight(block) <= room and _n_cells(block) <= cells:
        return block
    if block.tag not in ("ul", "ol", "dl", "table") or block.xpath(".//@rowspan"):
        return None
    rows = list(block.iter("tr")) if block.tag == "table" else list(block)
    while len(rows) > 2 and (weight(block) > room or _n_cells(block) > cells):
        last = rows.pop()
        last.getparent().remove(last)
    while block.tag == "dl" and rows and rows[-1].tag == "dt":
        block.remove(rows.pop())
    return block if rows and weight(block) <= room and _n_cells(block) <= cells else None


def _n_cells(block: Any) -> int:
    return sum(1 for _ in block.iter("td", "th"))


def _is_heading(block: Any) -> bool:
    return bool(re.fullmatch("h[1-6]", block.tag))


def _parse(body: str) -> list[Any]:
    from lxml import html

    return list(html.fragment_fromstring(body, create_parent="div"))


def _write(blocks: list[Any]) -> str:
    from lxml import html

    return "\n".join(html.tostring(block, encoding="unicode", with_tail=False) for block in blocks)
