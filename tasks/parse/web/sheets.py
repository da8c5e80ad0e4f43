"""Style sheets of a page: rules that raise, lower or strike text, which changes what numbers say, as styles of its elements."""

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from tasks.parse.web.concealment.concealed import declarations

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

_PROPERTIES = ("vertical-align", "text-decoration", "text-decoration-line")
_MARKING = re.compile(r"vertical-align\s*:\s*su[bp]|line-through", re.IGNORECASE)
MOST_RULES = 500
"""Most rules that are looked at: so many elements are looked through for each."""


_SHEETS = "style, link[rel~=stylesheet i][href]:not([rel~=alternate i])"
FindSheet = Callable[[str], bytes | None]
"""Gives the style sheet at an address that a page names, None if it did not come with the page."""


def apply_sheets(page: "LexborHTMLParser", find_sheet: FindSheet) -> None:
    """Write what the style sheets of a page say of raised, lowered and struck text to the styles of its elements.

    Later rules count more, the style of the element most; how specific a selector is does not count. Rules for states, such as
    `a:hover`, are left out.
    """
    from selectolax.lexbor import SelectolaxError

    sheets = "\n".join(_read_sheet(node, find_sheet) for node in page.css(_SHEETS))
    if not _MARKING.search(sheets):
        return
    ruled: dict[int, tuple[LexborNode, dict[str, str]]] = {}
    for selector, given in islice(_list_rules(sheets), MOST_RULES):
        try:
            nodes = page.css(selector)
        except SelectolaxError:
            continue  # browsers leave out rules with such a selector too
        for node in nodes:
            ruled.setdefault(node.mem_id, (node, {}))[1].update(given)
    for node, given in ruled.values():
        own = node.attributes.get("style") or ""
        node.attrs["style"] = "".join(f"{name}:{value};" for name, value in given.items()) + own


def _read_sheet(node: "LexborNode", find_sheet: FindSheet) -> str:
    if node.tag == "style":
        return node.text()
    return (find_sheet(node.attributes["href"] or "") or b"").decode("utf-8", "replace")


def _list_rules(sheets: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the selector of each rule that says something of marks, and what it says.

    >>> list(_list_rules("/* a */ @media print { .u, .v {VERTICAL-ALIGN: super; color: red} } a:hover {vertical-align: sub}"))
    [('.u, .v', {'vertical-align': 'super'})]
    """
    first, *others = sheets.split("/*")
    for rule in "".join([first, *(part.partition("*/")[2] for part in others)]).split("}"):
        head, _, body = rule.rpartition("{")
        selector = head.rpartition("{")[2].rpartition(";")[2].strip()
        given = {name: value for name, value in declarations(body).items() if name in _PROPERTIES}
        if given and selector and ":" not in selector:
            yield selector, given
