"""Headings: what the layout model takes for one and is none, and what it takes for something else and is one."""

import re
from collections import Counter
from collections.abc import Sequence

from tasks.parse.layout.regions import Region

LABEL = re.compile(r"^(table|tab\.|figure|fig\.|exhibit|chart|box)\s*[A-Z]{0,2}[\dIVX]*[.:\d]", re.IGNORECASE)
_BRACKETED = re.compile(r"^\([^()]*\)$")
MIN_BODY = 200
"""Characters of text that a page needs for its most frequent size of type to mean anything."""
LARGE, HUGE = 1.5, 2.0
"""Sizes of type, as multiples of the text's. Captions in large type are headings: captions are set no larger than
the text. So are page headers in huge type: running headers are small, but a chapter opens at the top of a page."""
MAX_WORDS = 12


def body_size(regions: Sequence[Region]) -> float | None:
    """Return the size in points of most characters in paragraphs and lists; None for a page with little text."""
    sizes: Counter[float] = Counter()
    for region in regions:
        if region.kind in ("paragraph", "list_item"):
            for word in region.words:
                sizes[round(word.size * 2) / 2] += len(word.text)
    return sizes.most_common(1)[0][0] if sizes.total() >= MIN_BODY else None


def kind_of(region: Region, body: float | None) -> str:
    """Return the region's kind, as its words and their size say it."""
    text = " ".join(word.text for word in region.words)
    if region.kind in ("heading", "title") and LABEL.match(text):
        return "caption"
    if region.kind == "heading" and _BRACKETED.match(text):
        return "paragraph"
    if body and region.kind == "heading" and _is_code(region, body):
        return "paragraph"
    if body and _is_large(region, body) and not LABEL.match(text):
        return "heading"
    return region.kind


def _is_code(region: Region, body: float) -> bool:
    """Tell whether it is set in plain fixed-width type no larger than the text: a heading is bolder or larger."""
    return bool(region.words) and all(word.mono and not word.bold and word.size <= body + 0.5 for word in region.words)


def _is_large(region: Region, body: float) -> bool:
    if not 0 < len(region.words) <= MAX_WORDS or not all(word.upright for word in region.words):
        return False
    size = min(word.size for word in region.words)
    if region.role == "page-header":
        return size >= HUGE * body
    return region.kind == "caption" and size >= LARGE * body
