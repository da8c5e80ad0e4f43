"""HTML as a stream of events, in the order of its text and without recursion. What a browser does not show is skipped."""

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

from tasks.parse.web.concealed import conceals

Kind = Literal["open", "close", "text", "concealed"]
NEVER_SHOWN = frozenset(
    "head script style template noscript noframes noembed iframe canvas audio video select datalist param area map".split()
)
_PHRASING = frozenset("a abbr b bdi bdo cite code data em i img kbd mark q s samp small span strong sub sup svg u var".split())


class Event(NamedTuple):
    """The start or end of an element, a text, or an element whose content is hidden from readers."""

    kind: Kind
    tag: str
    node: Any


class Events:
    """Events of the tree below a node; `skip` skips the content of the element that has just started."""

    def __init__(self, root: Any, with_root: bool = True, concealed: bool = False) -> None:
        """`with_root` says whether to yield the events of `root` itself, `concealed` whether to tell of concealed elements."""
        self._root = root
        self._with_root = with_root
        self._tells = concealed
        self._skipped = False

    def skip(self) -> None:
        """Continue after the element that has just started. Its end is still yielded."""
        self._skipped = True

    def __iter__(self) -> Iterator[Event]:
        node, depth = (self._root, 0) if self._with_root else (self._root.child, 1)
        lowest = 0 if self._with_root else 1
        while node is not None:
            inner = None
            if node.is_text_node:
                yield Event("text", "-text", node)
            elif node.is_element_node and not is_hidden(node):
                self._skipped = False
                yield Event("open", node.tag, node)
                inner = None if self._skipped else node.child
                if inner is None:
                    yield Event("close", node.tag, node)
            if inner is not None:
                node, depth = inner, depth + 1
                continue
            if node.is_element_node and inner is None and self._tells and node.tag not in NEVER_SHOWN and conceals(node):
                yield Event("concealed", node.tag, node)
            while depth > lowest and node.next is None:
                node, depth = node.parent, depth - 1
                yield Event("close", node.tag, node)
            node = node.next if depth > 0 else None


def is_hidden(node: Any) -> bool:
    """Tell whether a browser hides an element. `aria-hidden` marks decoration only on parts of a line."""
    tag = node.tag
    if tag in NEVER_SHOWN:
        return True
    attributes = node.attributes
    if not attributes:
        return bool(tag == "dialog")
    if tag == "dialog" and "open" not in attributes:
        return True
    if tag in _PHRASING and attributes.get("aria-hidden") == "true":
        return True
    return conceals(node)
