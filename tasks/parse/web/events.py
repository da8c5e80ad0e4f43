"""HTML as a stream of events, in the order of its text and without recursion. What a browser does not show is skipped."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

Kind = Literal["open", "close", "text"]
NEVER_SHOWN = frozenset(
    "head script style template noscript noframes noembed iframe canvas audio video datalist param area map rp".split()
)


class Event(NamedTuple):
    """The start or end of an element, or a text."""

    kind: Kind
    tag: str
    node: "LexborNode"


class Events:
    """Events of the tree below a node; `skip` skips the content of the element that has just started."""

    def __init__(self, root: "LexborNode", with_root: bool = True) -> None:
        """`with_root` says whether to yield the events of `root` itself."""
        self._root = root
        self._with_root = with_root
        self._skipped = False

    def skip(self) -> None:
        """Continue after the element that has just started. Its end is still yielded."""
        self._skipped = True

    def __iter__(self) -> Iterator[Event]:
        depth = 0 if self._with_root else 1
        node: LexborNode | None = self._root if self._with_root else self._root.child
        lowest = 0 if self._with_root else 1
        while node is not None:
            inner = None
            tag = node.tag or ""
            if tag == "-text":
                yield Event("text", tag, node)
            elif tag not in NEVER_SHOWN and node.is_element_node:
                self._skipped = False
                yield Event("open", tag, node)
                inner = None if self._skipped else node.child
                if inner is None:
                    yield Event("close", tag, node)
            if inner is not None:
                node, depth = inner, depth + 1
                continue
            while depth > lowest and node.next is None and node.parent is not None:
                node, depth = node.parent, depth - 1
                yield Event("close", node.tag or "", node)
            node = node.next if depth > 0 else None
