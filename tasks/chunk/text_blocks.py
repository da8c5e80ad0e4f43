"""Text blocks: the parts of a document's text that chunks are made of: a run of prose, or one table, code listing or figure.

Blocks cover the text except for white space. What belongs together is in one block: a table with its caption, and before it
the headings and the short sentence that introduce it.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from schemas.records import Element
from tasks.chunk.batches import batched
from tasks.chunk.sentences import Span, find_sentence_spans
from tasks.parse.tables.cells import BAR

Split = Callable[[str, int, int], Iterable[Span]]
"""Tiles a range of a text with spans."""

WHOLE = ("table", "code", "figure")
"""Kinds of elements that become chunks of their own kind."""
LONGEST_LEAD = 300
"""A paragraph that ends in a colon and has at most this many characters introduces the table or listing after it."""
SHORT_GAP = 16
"""Text between two elements with at most this many characters is markup, and belongs to the element after it."""
MOST_ATOMS = 64
"""A run of prose is cut into blocks of this many atoms. A block is made only when it is asked for."""

LINE = re.compile(r"[^\n]*\n?")
TABLE_DELIMITER = re.compile(r"\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*\Z")
"""The row between the header and the body of a Markdown table."""
_OF_TABLE = re.compile(r"\W*tab(?:le|elle|leau|la)?\b", re.IGNORECASE)
_OF_FIGURE = re.compile(r"\W*(?:fig(?:ure|\.)?|chart|abb(?:ildung|\.))\b", re.IGNORECASE)
_SENTENCE_END = re.compile(r"""[.!?:;。！？]["'”’»)\]]*\Z""")  # noqa: RUF001


class TextRegion(NamedTuple):
    """The part of the text that one element fills, or the text between two elements, with the white space after it."""

    start: int
    end: int
    kind: str
    level: int
    html: str | None


class Atom(NamedTuple):
    """A span that is cut only if it is too long by itself. `level` is that of a heading (1 = highest), else 0."""

    start: int
    end: int
    level: int = 0


class TextBlock(NamedTuple):
    """Atoms without gaps between them. A chunk joins some of them.

    Consecutive blocks of prose are one run. `lead` introduces the block and may be separated from it. `context` are spans (a
    table's header rows, a caption, or the heading above a table without one) that every part repeats unless it has them, the most
    useful first.
    """

    kind: str
    atoms: list[Atom]
    lead: list[Atom]
    context: tuple[Span, ...] = ()

    @property
    def span(self) -> Span:
        """Start and end of the block, without its lead."""
        return self.atoms[0].start, self.atoms[-1].end


def make_text_blocks(
    text: str,
    elements: Sequence[Element],
    repeated: Collection[str] = ("header", "caption"),
    split: Split = find_sentence_spans,
) -> Iterator[TextBlock]:
    """Yield the blocks of `text`, in order. `elements` are rows of DESCRIBED's elements; those without offsets are skipped.

    `repeated` names what the context of a block contains; `split` cuts a range of prose into atoms.
    """
    prose: list[TextRegion] = []
    heading: TextRegion | None = None
    for kind, members in _group_captions_with_owners(text, _make_text_regions(text, elements)):
        if kind == "text":
            prose.extend(members)
            heading = next((region for region in reversed(members) if region.level), heading)
            continue
        kept = _without_lead_paragraph(text, prose) if kind != "figure" else _without_trailing_headings(prose)
        yield from _make_prose_blocks(text, kept, split)
        lead = list(_make_prose_atoms(text, prose[len(kept) :], split))
        yield _make_captioned_block(text, members, lead, heading, repeated)
        prose = []
    yield from _make_prose_blocks(text, prose, split)


def _make_prose_blocks(text: str, regions: Sequence[TextRegion], split: Split) -> Iterator[TextBlock]:
    return (TextBlock("text", atoms, []) for atoms in batched(_make_prose_atoms(text, regions, split), MOST_ATOMS))


def _make_text_regions(text: str, elements: Sequence[Element]) -> list[TextRegion]:
    """Cover the text with its elements. Blank ones are skipped; text that two elements cover belongs to the first.

    Furniture at the start of the text, such as a Markdown file's front matter, is not part of any block.
    """
    placed = sorted(_join_parts(elements), key=itemgetter(0, 1))
    found: list[TextRegion] = []
    cursor = 0
    while placed and placed[0][2]["kind"] == "furniture" and not text[cursor : placed[0][0]].strip():
        cursor = placed.pop(0)[1]
    for first, end, element in placed:
        start = max(cursor, first)
        if not text[start:end].strip():
            continue
        gap = text[cursor:start]
        begin = start - len(gap.lstrip())
        if len(gap.strip()) > SHORT_GAP:
            found.append(TextRegion(begin, start, "text", 0, None))
            begin = start
        found.append(TextRegion(begin, end, element["kind"], _get_heading_level(element), element["html"]))
        cursor = end
    if rest := text[cursor:].lstrip():
        found.append(TextRegion(len(text) - len(rest), len(text), "text", 0, None))
    following = [*(region.start for region in found), len(text)][1:]
    return [region._replace(end=end) for region, end in zip(found, following, strict=True)]


def _join_parts(elements: Iterable[Element]) -> list[tuple[int, int, Element]]:
    """Return start and end of each element that has a place in the text; the parts of one are one, with the first part's HTML."""
    placed: list[tuple[int, int, Element]] = []
    for element in elements:
        start, end = element["start_char"], element["end_char"]
        if start is None or end is None:
            continue
        if element.get("joined_by") is not None and placed:
            placed[-1] = (placed[-1][0], end, placed[-1][2])
        else:
            placed.append((start, end, element))
    return placed


def _get_heading_level(element: Element) -> int:
    if element["kind"] == "title":
        return 1
    return (element["level"] or 2) if element["kind"] == "heading" else 0


def _group_captions_with_owners(text: str, regions: Sequence[TextRegion]) -> Iterator[tuple[str, list[TextRegion]]]:
    """Yield text regions one by one, and tables, listings and figures with the captions beside them."""
    owners = {i: i for i, region in enumerate(regions) if region.kind in WHOLE}
    for i, region in enumerate(regions):
        if region.kind == "caption" and (owner := _find_caption_owner(text, regions, i)) is not None:
            owners[i] = owner
    for owner, members in groupby(range(len(regions)), key=lambda i: owners.get(i, -1 - i)):
        yield ("text" if owner < 0 else regions[owner].kind), [regions[i] for i in members]


def _find_caption_owner(text: str, regions: Sequence[TextRegion], at: int) -> int | None:
    """Return the neighbour that a caption belongs to: of the kind that it names, else a table below it, else the one above it."""
    beside = [i for i in (at - 1, at + 1) if 0 <= i < len(regions) and regions[i].kind in WHOLE]
    words = text[regions[at].start : regions[at].start + 20]
    named = "table" if _OF_TABLE.match(words) else "figure" if _OF_FIGURE.match(words) else None
    of_kind = [i for i in beside if regions[i].kind == named]
    below = [i for i in beside if i > at and regions[i].kind == "table"]
    return next(iter([*of_kind, *below, *beside]), None)


def _without_lead_paragraph(text: str, prose: list[TextRegion]) -> list[TextRegion]:
    """Leave out the trailing paragraph that introduces what follows, and the headings before it."""
    last = prose[-1] if prose else None
    introduces = last is not None and not last.level and text[last.start : last.end].rstrip().endswith(":")
    if last is not None and introduces and len(text[last.start : last.end].strip()) <= LONGEST_LEAD:
        return _without_trailing_headings(prose[:-1])
    return _without_trailing_headings(prose)


def _without_trailing_headings(prose: list[TextRegion]) -> list[TextRegion]:
    n = len(prose)
    while n and prose[n - 1].level:
        n -= 1
    return prose[:n]


def _make_prose_atoms(text: str, regions: Sequence[TextRegion], split: Split) -> Iterator[Atom]:
    """Yield the sentences of `regions`. A sentence that continues in the next paragraph, after a page break, is one sentence."""
    held: Atom | None = None
    for before, region in zip([None, *regions], regions, strict=False):
        goes_on = before is not None and _continues_sentence(text, before, region)
        for start, end in [(region.start, region.end)] if region.level else split(text, region.start, region.end):
            if held and goes_on:
                start = held.start
            elif held:
                yield held
            held, goes_on = Atom(start, end, region.level), False
    if held:
        yield held


def _continues_sentence(text: str, before: TextRegion, after: TextRegion) -> bool:
    if before.kind != "paragraph" or after.kind != "paragraph":
        return False
    left, right = text[before.start : before.end].rstrip(), text[after.start : after.end].lstrip()
    return bool(right) and right[0].islower() and not _SENTENCE_END.search(left)


def _make_captioned_block(
    text: str, members: Sequence[TextRegion], lead: list[Atom], heading: TextRegion | None, repeated: Collection[str]
) -> TextBlock:
    """Make a block of a table, listing or figure with its captions. The `heading` above it names a table that has none."""
    at, body = next((i, region) for i, region in enumerate(members) if region.kind in WHOLE)
    inside = (
        list(_make_prose_atoms(text, [body], find_sentence_spans))
        if body.kind == "figure"
        else _split_region_into_lines(text, body)
    )
    atoms = [*_make_caption_atoms(members[:at]), *inside, *_make_caption_atoms(members[at + 1 :])]
    if body.kind == "figure":
        return TextBlock(body.kind, atoms, lead)
    table = body.kind == "table"
    header = [_find_header_rows(text, inside, body.html)] if table and len(inside) > 1 and "header" in repeated else []
    captions = [region for region in members if region is not body]
    names = [heading] if heading and table and not captions else captions
    return TextBlock(
        body.kind, atoms, lead, (*header, *(_trim_region_end(text, region) for region in names if "caption" in repeated))
    )


def _make_caption_atoms(regions: Sequence[TextRegion]) -> list[Atom]:
    return [Atom(region.start, region.end) for region in regions]


def _trim_region_end(text: str, region: TextRegion) -> Span:
    return region.start, region.start + len(text[region.start : region.end].rstrip())


def _split_region_into_lines(text: str, region: TextRegion) -> list[Atom]:
    """Return the lines of `region` as atoms. Blank lines belong to the line before them."""
    atoms: list[Atom] = []
    for match in LINE.finditer(text, region.start, region.end):
        if atoms and not match.group().strip():
            atoms[-1] = Atom(atoms[-1].start, match.end())
        elif match.group():
            atoms.append(Atom(match.start(), match.end()))
    return atoms


def _find_header_rows(text: str, rows: Sequence[Atom], html: str | None) -> Span:
    """Return the header rows: down to Markdown's delimiter row, else as many as the HTML's head has, else one."""
    head = (html or "").partition("</thead>")
    n = head[0].count("<tr") if head[1] else 1
    for i, row in enumerate(rows[:4]):
        if TABLE_DELIMITER.match(text[row.start : row.end]):
            n = i + 1
    last = rows[min(max(n, 1), len(rows) - 1) - 1]
    return rows[0].start, last.start + len(text[last.start : last.end].rstrip())


def split_table_row(line: str) -> list[str]:
    r"""Split a row of a Markdown table at its bars, except escaped ones.

    >>> split_table_row("| a\\|b | c |")
    ['a|b', 'c']
    """
    bare = line.strip().removeprefix("|")
    bare = bare[:-1] if bare.endswith("|") and not bare.endswith("\\|") else bare
    return [cell.strip().replace("\\|", "|") for cell in BAR.split(bare)]
