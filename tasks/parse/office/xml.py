"""Names of Open XML's elements, and what DOCX and PPTX have in common: switches, alternatives, words of drawings."""

from functools import cache
from typing import Any

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


@cache
def name(prefixed: str) -> str:
    """Return a prefixed name in lxml's notation.

    >>> name("w:p")
    '{http://schemas.openxmlformats.org/wordprocessingml/2006/main}p'
    """
    prefix, _, local = prefixed.partition(":")
    return f"{{{NAMESPACES[prefix]}}}{local}"


def find(node: Any, path: str) -> Any:
    """Return the first element at `path`, or None."""
    return node.find(path, NAMESPACES) if node is not None else None


def find_all(node: Any, path: str) -> list[Any]:
    """Return the elements at `path`, in order."""
    return list(node.iterfind(path, NAMESPACES)) if node is not None else []


def value(node: object, path: str, attribute: str = "w:val") -> str | None:
    """Return an attribute of the element at `path`; None if the element or the attribute is missing."""
    found = find(node, path)
    return None if found is None else found.get(name(attribute) if ":" in attribute else attribute)


def is_on(node: object, path: str) -> bool:
    """Return whether a switch, an element such as `w:vanish`, exists and is not off."""
    found = find(node, path)
    return found is not None and found.get(name("w:val"), "true") not in ("0", "false", "off")


def number(text: str | None, otherwise: int) -> int:
    """Return a whole number, or `otherwise`."""
    try:
        return int(text) if text is not None else otherwise
    except ValueError:
        return otherwise


def chosen(alternatives: object) -> list[Any]:
    """Return the content of an `mc:AlternateContent` for programs that support all features."""
    best = find(alternatives, "mc:Choice")
    best = find(alternatives, "mc:Fallback") if best is None else best
    return [] if best is None else list(best)


def drawing_words(node: object) -> str:
    """Return the text of an element of a drawing, with a space between paragraphs."""
    paragraphs = find_all(node, ".//a:p")
    return " ".join("".join(text.text or "" for text in find_all(p, ".//a:t")) for p in paragraphs).strip()
