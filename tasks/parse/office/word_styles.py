"""Styles of a Word document: the kind of a paragraph, by its style and the styles that it is based on."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from tasks.parse.office.xml import find, find_all, name, number, value

BODY_LEVEL = 9
"""Word's outline level of a paragraph that is not a heading. Headings have 0 to 8."""
_HEADING = re.compile(r"heading (\d)")
_CONTENTS = re.compile(r"(?:toc|index|table of (?:figures|authorities))(?: \d| heading|)|(?:toc|index) heading|header|footer")
_KINDS = {
    "title": "title",
    "caption": "caption",
    "html preformatted": "code",
    "macro text": "code",
    "source code": "code",
    "preformatted text": "code",
    "code": "code",
    "footnote text": "footnote",
    "endnote text": "footnote",
}
_LISTS = re.compile(r"list (?:bullet|number)(?: \d)?")


class ParagraphStyle(NamedTuple):
    """The kind of a paragraph. A heading's level counts from 1. `numbering` is (list id, level) if it is in a list."""

    kind: str
    level: int | None = None
    numbering: tuple[str, int] | None = None


class Styles:
    """The styles of one document."""

    def __init__(self, tree: Any) -> None:
        """`tree` is the styles part, None if the document has none."""
        styles = [style for style in find_all(tree, "w:style") if style.get(name("w:type"), "paragraph") == "paragraph"]
        self._styles = {style.get(name("w:styleId")): style for style in styles}
        default = next((style for style in styles if style.get(name("w:default")) in ("1", "true", "on")), None)
        self._default = default.get(name("w:styleId")) if default is not None else None
        self.language = value(tree, "w:docDefaults/w:rPrDefault/w:rPr/w:lang")

    def style_of(self, paragraph: Any) -> ParagraphStyle:
        """Return the kind of a paragraph: by its own outline level, else by that of its style, else by the style's name."""
        properties = find(paragraph, "w:pPr")
        chain = list(self._chain(value(properties, "w:pStyle")))
        numbering = self._numbering(properties, chain)
        names = [(value(style, "w:name") or "").lower() for style in chain]
        kind = next((_KINDS[name] for name in names if name in _KINDS), None)
        if any(_CONTENTS.fullmatch(name) for name in names):
            return ParagraphStyle("furniture")
        level = self._outline(properties, chain, names)
        if kind != "title" and level is not None and 0 <= level < BODY_LEVEL:
            return ParagraphStyle("heading", level + 1, numbering)
        if kind == "title":
            return ParagraphStyle("title", 1)
        return ParagraphStyle(
            kind or ("list_item" if numbering or any(map(_LISTS.fullmatch, names)) else "paragraph"), None, numbering
        )

    def _chain(self, style_id: str | None) -> Iterator[Any]:
        """Yield a style and the styles that it is based on, each once."""
        seen: set[str] = set()
        current = style_id if style_id in self._styles else self._default
        while current is not None and current in self._styles and current not in seen:
            seen.add(current)
            yield self._styles[current]
            current = value(self._styles[current], "w:basedOn")

    def _outline(self, properties: Any, chain: list[Any], names: list[str]) -> int | None:
        told = [value(properties, "w:outlineLvl"), *(value(style, "w:pPr/w:outlineLvl") for style in chain)]
        level = next((text for text in told if text is not None), None)
        if level is not None:
            return number(level, BODY_LEVEL)
        return next((int(found[1]) - 1 for text in names if (found := _HEADING.fullmatch(text))), None)

    def _numbering(self, properties: Any, chain: list[Any]) -> tuple[str, int] | None:
        """Return the list's id and level: each from the paragraph, else from the nearest style that has it."""
        places = [find(properties, "w:numPr"), *(find(style, "w:pPr/w:numPr") for style in chain)]
        told = [place for place in places if place is not None]
        list_id = next((text for place in told if (text := value(place, "w:numId")) is not None), None)
        level = next((text for place in told if (text := value(place, "w:ilvl")) is not None), None)
        return (list_id, number(level, 0)) if list_id not in (None, "0") else None
