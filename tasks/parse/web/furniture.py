"""Furniture of HTML pages: menus, tables of contents, what stands around the content. What is in it decides, not its tag alone.

A header, footer or aside with prose of its own is content: abstracts, leads, warnings, attributions.
"""

import re
from typing import TYPE_CHECKING, NamedTuple

from tasks.parse.web.events import Events

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

_ROLES = {
    "banner": "header",
    "contentinfo": "footer",
    "complementary": "aside",
    "navigation": "nav",
    "doc-toc": "nav",
    "search": "search",
}
_CANDIDATES = "nav, header, footer, aside, [role], [id*='toc' i], [class*='toc' i], [id*='contents' i], [class*='contents' i]"
_TAGS = frozenset(("nav", "header", "footer", "aside"))
_SECTIONS = frozenset("article aside main nav section".split())
_ROOTS = frozenset("blockquote body details dialog fieldset figure td th".split())
"""Elements with headers and footers of their own."""
_CONTENTS = re.compile(r"(?:.*[\s_-])?(?:toc|(?:table-?of-?)?contents)(?:[\s_-].*)?", re.IGNORECASE | re.DOTALL)
_BOXES = frozenset("div ul ol section details table".split())
_BREAKS = frozenset("p div li ul ol dl dt dd br td tr table h1 h2 h3 h4 h5 h6 section article blockquote pre summary".split())
_CONTROLS = frozenset("a button form nav select".split())
_BOILERPLATE = re.compile(r"©|\(c\)|copyright|all rights reserved|cookies?|privacy|newsletter|licen[cs]ed? under", re.IGNORECASE)
SHORTEST_LEAD = 12
"""Fewest words in a row, outside links, that make the header of a page content."""
SHORTEST_REMARK = 20
"""Fewest words in a row that make content of what stands beside or below the content of a page."""
LINKED = 0.5
"""Largest share of linked words in an aside that is content."""
LONGEST_TITLE = 4
"""Most words outside links in the title of a table of contents."""
LINKED_CONTENTS = 0.8
"""Smallest share of linked words in a table of contents."""


class Weight(NamedTuple):
    """What is in an element: its words, how many of them are linked or on controls, and the longest run of others."""

    words: int
    linked: int
    longest: str

    @property
    def linked_share(self) -> float:
        """The share of linked words, in [0, 1]; 1 without words."""
        return self.linked / self.words if self.words else 1.0


def furniture_of(page: "LexborHTMLParser") -> dict[int, str]:
    """Return by `mem_id` the elements of a parsed page that are furniture: header, footer, aside, nav or search."""
    has_main = page.css_first("main, article, [role='main']") is not None
    found: dict[int, str] = {}
    places: dict[int, str] = {}
    for node in page.css(_CANDIDATES):
        if node.parent is not None and node.parent.mem_id in found:
            found[node.mem_id] = found[node.parent.mem_id]
        elif (name := _name(node)) and _is_furniture(node, name, has_main, places):
            found[node.mem_id] = "nav" if name == "contents" else name
    return found


def _name(node: "LexborNode") -> str:
    """Return what an element may be by its role, tag or name: header, footer, aside, nav, search or contents; else ""."""
    attributes = node.attributes
    role = attributes.get("role") or ""
    name = str(_ROLES.get(role, "" if role else node.tag))
    if name in _TAGS or name == "search":
        return name
    named = node.tag in _BOXES and any(_CONTENTS.fullmatch(attributes.get(key) or "") for key in ("id", "class"))
    return "contents" if named else ""


def _is_furniture(node: "LexborNode", name: str, has_main: bool, places: dict[int, str]) -> bool:
    if name == "search":
        return True
    weight = _weight(node)
    n_longest = len(weight.longest.split())
    is_boilerplate = n_longest < SHORTEST_REMARK or _BOILERPLATE.search(weight.longest) is not None
    if name == "contents":
        few = weight.words - weight.linked <= LONGEST_TITLE or weight.linked_share >= LINKED_CONTENTS
        return few and node.css_first("a[href*='#']") is not None
    if name == "nav":
        return weight.linked_share > 1 - LINKED_CONTENTS or n_longest < SHORTEST_REMARK
    around = _around(node, places) if node.tag in _TAGS else "body"
    if name == "aside":
        beside = has_main and around == "body"
        return weight.linked_share > LINKED or (beside and n_longest < SHORTEST_REMARK)
    if around in _ROOTS - {"body"}:
        return False
    if name == "header":
        titles = node.css_first("h1") is not None and not weight.linked
        return around == "body" and not titles and n_longest < SHORTEST_LEAD
    if around == "body":
        return is_boilerplate
    return weight.linked_share > LINKED or (is_boilerplate and _BOILERPLATE.search(node.text()) is not None)


def _around(node: "LexborNode", places: dict[int, str]) -> str:
    """Return the nearest section or root that an element is in; body for the page itself. `places` keeps what was found."""
    passed = []
    found = "body"
    above = node.parent
    while above is not None and above.is_element_node:
        if (known := places.get(above.mem_id) or _section(above)) is not None:
            found = known
            break
        passed.append(above.mem_id)
        above = above.parent
    places.update(dict.fromkeys(passed, found))
    return found


def _section(node: "LexborNode") -> str | None:
    if node.tag in _SECTIONS or node.tag in _ROOTS:
        return str(node.tag)
    return "main" if (node.attributes.get("role") or "") in ("main", "article", "region") else None


def _weight(node: "LexborNode") -> Weight:
    n_words = len(node.text(separator=" ").split())
    n_linked = sum(len(link.text(separator=" ").split()) for link in node.css("a"))
    if n_words - n_linked < SHORTEST_LEAD:
        return Weight(n_words, n_linked, "")
    words = linked = controls = 0
    longest: list[str] = []
    run: list[str] = []
    for kind, tag, inner in Events(node, with_root=False):
        if kind == "text":
            found = (inner.text_content or "").split()
            words += len(found)
            linked += len(found) if controls else 0
            run += [] if controls else found
        elif tag in _CONTROLS:
            controls += 1 if kind == "open" else -1
        elif tag in _BREAKS:
            longest, run = run if len(run) > len(longest) else longest, []
    return Weight(words, linked, " ".join(run if len(run) > len(longest) else longest))
