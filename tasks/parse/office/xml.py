"""Names of Open XML's elements, and what DOCX and PPTX have in common: switches, alternatives, words of drawings."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Protocol, overload

NAMESPACES = {
    "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
    "c": "http://schemas.openxmlformats.org/drawingml/2006/chart",
    "cx": "http://schemas.microsoft.com/office/drawing/2014/chartex",
    "dgm": "http://schemas.openxmlformats.org/drawingml/2006/diagram",
    "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
    "p": "http://schemas.openxmlformats.org/presentationml/2006/main",
    "v": "urn:schemas-microsoft-com:vml",
    "w14": "http://schemas.microsoft.com/office/word/2010/wordml",
    "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
    "a14": "http://schemas.microsoft.com/office/drawing/2010/main",
}


_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")


class XmlElement(Protocol):
    """What is used of lxml's elements."""

    tag: str
    text: str | None
    tail: str | None

    def __iter__(self) -> Iterator["XmlElement"]: ...

    def __len__(self) -> int: ...

    def __setitem__(self, at: slice, children: list["XmlElement"]) -> None: ...

    @overload
    def get(self, key: str) -> str | None: ...

    @overload
    def get(self, key: str, default: str) -> str: ...

    def set(self, key: str, value: str) -> None: ...  # noqa: D102

    def clear(self, keep_tail: bool) -> None: ...  # noqa: D102

    def items(self) -> list[tuple[str, str]]: ...  # noqa: D102

    def find(self, path: str, namespaces: Mapping[str, str]) -> "XmlElement | None": ...  # noqa: D102

    def iterfind(self, path: str, namespaces: Mapping[str, str]) -> Iterator["XmlElement"]: ...  # noqa: D102

    def iter(self, *tags: str) -> Iterator["XmlElement"]: ...  # noqa: D102

    def iterancestors(self, *tags: str) -> Iterator["XmlElement"]: ...  # noqa: D102

    def itersiblings(self, *tags: str) -> Iterator["XmlElement"]: ...  # noqa: D102

    def getparent(self) -> "XmlElement | None": ...  # noqa: D102

    def index(self, child: "XmlElement") -> int: ...  # noqa: D102


@cache
def name(prefixed: str) -> str:
    """Return a prefixed name in lxml's notation.

    >>> name("w:p")
    '{http://schemas.openxmlformats.org/wordprocessingml/2006/main}p'
    """
    prefix, _, local = prefixed.partition(":")
    return f"{{{NAMESPACES[prefix]}}}{local}"


def find(node: XmlElement | None, path: str) -> XmlElement | None:
    """Return the first element at `path`, or None."""
    return node.find(path, NAMESPACES) if node is not None else None


def find_all(node: XmlElement | None, path: str) -> list[XmlElement]:
    """Return the elements at `path`, in order."""
    return list(node.iterfind(path, NAMESPACES)) if node is not None else []


def value(node: XmlElement | None, path: str, attribute: str = "w:val") -> str | None:
    """Return an attribute of the element at `path`; None if the element or the attribute is missing."""
    found = find(node, path)
    return None if found is None else found.get(name(attribute) if ":" in attribute else attribute)


def is_on(node: XmlElement | None, path: str) -> bool:
    """Return whether a switch, an element such as `w:vanish`, exists and is not off."""
    found = find(node, path)
    return found is not None and found.get(name("w:val"), "true") not in ("0", "false", "off")


def number(text: str | None, otherwise: int) -> int:
    """Return a whole number, or `otherwise`."""
    try:
        return int(text) if text is not None else otherwise
    except ValueError:
        return otherwise


def chosen(alternatives: XmlElement) -> list[XmlElement]:
    """Return the content of an `mc:AlternateContent` for programs that support all features."""
    best = find(alternatives, "mc:Choice")
    best = find(alternatives, "mc:Fallback") if best is None else best
    return [] if best is None else list(best)


def drawing_words(node: XmlElement) -> str:
    """Return the text of an element of a drawing, with a space between paragraphs."""
    paragraphs = find_all(node, ".//a:p")
    return " ".join("".join(text.text or "" for text in find_all(p, ".//a:t")) for p in paragraphs).strip()


def unescaped(text: str) -> str:
    r"""Return a text of a workbook or a slide with the characters that XML cannot hold.

    >>> unescaped("one_x000B_two"), unescaped("a_x005F_x000D_")
    ('one\x0btwo', 'a_x000D_')
    """
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text) if "_x" in text else text
