"""Styles that part words: elements of a line that stand on a line of their own or apart, and line breaks that stay."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from tasks.parse.web.concealment.concealed import declarations

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

_OWN_LINE = frozenset("block flex grid table list-item flow-root table-row -webkit-box -webkit-flex".split())
_PARTING = frozenset("flex inline-flex grid inline-grid -webkit-box -webkit-flex".split())
"""Displays that make a box of each child."""
_APART = frozenset("inline-block inline-flex inline-grid inline-table".split())
_KEEPING = frozenset("pre pre-wrap pre-line break-spaces".split())
_GAPS = ("padding", "margin", "padding-left", "padding-right", "margin-left", "margin-right", "gap")


class Styled(NamedTuple):
    """By `mem_id` of elements with a style: what stands before and behind each, and whether line breaks in it stay."""

    edges: Mapping[int, str]
    keeping: Mapping[int, bool]


def styled_of(page: "LexborHTMLParser") -> Styled:
    """Return what the styles of a parsed page part. Boxes in a line stand apart only if they have a margin or padding."""
    edges: dict[int, str] = {}
    keeping: dict[int, bool] = {}
    for node in page.css("[style*='display' i], [style*='white-space' i]"):
        styles = declarations(node.attributes.get("style") or "")
        display = styles.get("display", "")
        if display in _PARTING:
            edges |= {child.mem_id: "\n" for child in node.iter()}
        if display in _OWN_LINE:
            edges[node.mem_id] = "\n" if styles.get("float", "none") == "none" else " "
        elif display == "table-cell" or (display in _APART and any(name in styles for name in _GAPS)):
            edges[node.mem_id] = " "
        if styles.get("white-space", "inherit") not in ("inherit", "unset"):
            keeping[node.mem_id] = styles["white-space"].split()[0] in _KEEPING
    return Styled(edges, keeping)
