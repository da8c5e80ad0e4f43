"""Headings: corrects regions that the layout model wrongly takes for headings, and headings that it misses."""

from collections import Counter
from collections.abc import Sequence

from schemas.tables.elements import HEADINGS
from tasks.parse.layout.captions import LABEL
from tasks.parse.layout.page_model import BodyStyle
from tasks.parse.layout.regions import PROSE, Region

_BULLETED = frozenset(f"{bullet} " for bullet in "\u2022\u2023\u25aa\u25cf\u25cb\u25e6\u25a0")
MIN_BODY = 200
"""Fewest characters of a page from which its usual type size can be known."""
LARGE, LARGE_BOLD, HUGE = 1.5, 1.2, 2.0
"""Type sizes, as multiples of the text's. Captions in large type are headings, because real captions are not larger than the
text; in bold type a smaller difference tells, as of a heading above the table of a form. Page headers in huge type are headings
too: running headers are small, but a chapter may start at the top of a page."""
MAX_WORDS = 12


def body_style(regions: Sequence[Region]) -> BodyStyle:
    """Return the type sizes of a page's text and tables."""
    return BodyStyle(body_size(regions), table_size(regions))


def body_size(regions: Sequence[Region]) -> float | None:
    """Return the type size in points of most characters in paragraphs and lists; None for a page with little text.

    Fixed-width type counts only where there is little other text: code can fill a page whose text is larger.
    """
    sizes: Counter[float] = Counter()
    fixed: Counter[float] = Counter()
    for region in regions:
        if region.kind in PROSE:
            for word in region.words:
                (fixed if word.mono else sizes)[round(word.size * 2) / 2] += len(word.text)
    if sizes.total() < MIN_BODY:
        sizes += fixed
    return sizes.most_common(1)[0][0] if sizes.total() >= MIN_BODY else None


def table_size(regions: Sequence[Region]) -> float | None:
    """Return the type size in points of most characters in tables, None for a page without tables."""
    sizes: Counter[float] = Counter()
    for region in regions:
        for word in region.words if region.kind == "table" else ():
            sizes[round(word.size * 2) / 2] += len(word.text)
    return sizes.most_common(1)[0][0] if sizes else None


def labelled_heading(region: Region, body: BodyStyle) -> str:
    """Return `caption` for a heading that begins as one does."""
    return "caption" if region.kind in HEADINGS and LABEL.match(text_of(region)) else region.kind


def bulleted_heading(region: Region, body: BodyStyle) -> str:
    """Return `list_item` for a heading with a bullet."""
    return "list_item" if region.kind == "heading" and body.size and _is_bulleted(region, body.size) else region.kind


def large_heading(region: Region, body: BodyStyle) -> str:
    """Return `heading` for a caption or a running header in large type, by that of tables on a page with little text."""
    usual = body.size or (body.table_size if region.kind == "caption" else None)
    return "heading" if usual and _is_large(region, usual) and not LABEL.match(text_of(region)) else region.kind


def _is_bulleted(region: Region, body: float) -> bool:
    """Return whether it begins with a bullet and is no larger than the text."""
    return text_of(region)[:2] in _BULLETED and all(word.size <= body + 0.5 for word in region.words)


def _is_large(region: Region, body: float) -> bool:
    if not 0 < len(region.words) <= MAX_WORDS or not is_upright(region):
        return False
    size = min(word.size for word in region.words)
    if region.role == "page-header":
        return size >= HUGE * body
    bold = all(word.bold for word in region.words)
    return region.kind == "caption" and size >= (LARGE_BOLD if bold else LARGE) * body


def in_capitals(text: str) -> bool:
    """Return whether a text is in capitals, as headings may be, and no name of a program's such as `GIT_EDITOR` or `RAID0`.

    Most of its letters are capitals: those of scripts without small letters are none.

    >>> in_capitals("SEE ALSO"), in_capitals("GIT_EDITOR"), in_capitals("See also"), in_capitals("CGI 与动态内容")
    (True, False, False, False)
    """
    named = text.isupper() and (" " in text or text.isalpha())
    return named and 2 * sum(map(str.isupper, text)) >= sum(map(str.isalpha, text))


def is_upright(region: Region) -> bool:
    """Return whether no word of a region is rotated."""
    return all(word.upright for word in region.words)


def text_of(region: Region) -> str:
    """Return the words of a region with a space between them."""
    return " ".join(word.text for word in region.words)
