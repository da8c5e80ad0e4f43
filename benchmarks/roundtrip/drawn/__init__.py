"""Sources that the benchmark draws, for what real documents have too little of: tables, forms, contents, boxes, headings.

Beyond plain HTML a body says by class how a thing stands on the page:

    table.grid, .booktabs, .none, .zebra, .half     its rules; without a class the style decides
    td, th [style="text-align:…; padding-left:…"]   how a cell is aligned and indented
    section.columns-2 > div, div                    beside each other, not flowing; .side-bar 2 : 1; .page as high as the page
    section.footnotes > p                           at the foot of its column, under a short rule, in small type
    section.sideways                                on a page of its own, turned or landscape
    section.slide                                   on a page of its own
    section.cards > aside                           boxes side by side;  aside elsewhere: a box
    section.side-captions > figure                  the caption stands to the right of the figure
    section.contents > p.level-1, .level-2 > b      entries, page numbers in <b> at the right; .dots leaders, .two in two columns
    section.form > p > b                            label, then value at a common indent; .boxes a box each, two beside each other
    h1, h2 .large, .same, .centred                  twice as large; as large as the body; centred
    p.drop-cap, p.note                              first letter over three lines; small type
"""

from collections.abc import Callable

from benchmarks.roundtrip.drawn import boxes, heads, lists, table_pages
from benchmarks.roundtrip.drawn.pen import Pen
from benchmarks.roundtrip.source import Source

KINDS: dict[str, tuple[str, Callable[[Pen], str], int]] = {
    "tables-ruled": ("table", table_pages.draw_ruled, 16),
    "tables-heads": ("table", table_pages.heads, 14),
    "tables-stubs": ("table", table_pages.stubs, 14),
    "tables-wrapped": ("table", table_pages.draw_wrapped, 6),
    "tables-small": ("table", table_pages.small, 8),
    "tables-beside": ("table", table_pages.side_by_side, 6),
    "tables-after": ("table", table_pages.after_each_other, 6),
    "tables-long": ("table", table_pages.over_pages, 6),
    "tables-sideways": ("table", table_pages.sideways, 4),
    "contents": ("contents", lists.contents, 10),
    "definitions": ("definitions", lists.definitions, 6),
    "forms": ("form", lists.form, 8),
    "capitals": ("headings", heads.capitals, 5),
    "two-line-headings": ("headings", heads.two_lines, 5),
    "prose": ("headings", heads.plain, 5),
    "large-titles": ("headings", heads.large_title, 5),
    "drop-caps": ("headings", heads.drop_caps, 4),
    "side-captions": ("figures", heads.side_captions, 5),
    "cards": ("cards", boxes.cards, 5),
    "side-bars": ("cards", boxes.side_bar, 4),
    "headings-beside": ("cards", boxes.headings_beside, 3),
    "footnotes": ("footnotes", boxes.footnotes, 4),
    "slides": ("slides", boxes.slides, 6),
}
"""For every drawing: its kind of content, what draws it, and how many of it a split has."""


def drawn_sources(split: str) -> list[Source]:
    """Return the drawn sources of a split, "train" or "test": some 150, always the same."""
    return [
        Source(f"drawn-{drawing}-{split}-{number}", f"drawn-{drawing}", kind, "en", draw(Pen(split, f"{drawing}/{number}")))
        for drawing, (kind, draw, count) in KINDS.items()
        for number in range(1, count + 1)
    ]
