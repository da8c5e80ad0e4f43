"""Styles of a Word document: the kind of a paragraph, by its style and the styles that it is based on."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tasks.parse.office.word_looks import Looks
from tasks.parse.office.word_numbering import Numbering
from tasks.parse.office.xml import XmlElement, find, find_all, name, number, value

BODY_LEVEL = 9
"""Word's outline level of a paragraph that is not a heading. Headings have 0 to 8."""
_HEADING = re.compile(r"heading (\d)")
CONTENTS = re.compile(r"(?:toc|index|contents|table of (?:figures|authorities))(?: \d+| heading|)|header|footer")
KINDS = {
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
"""Kinds of paragraphs by the names of their styles, which LibreOffice keeps."""
_LISTS = re.compile(r"list (?:bullet|number)(?: (\d))?")


class ParagraphStyle(NamedTuple):
    """The kind of a paragraph. A heading's level counts from 1. `numbering` is (list id, level) if it is in a list.

    `depth` counts from 1: how deep a list item is nested.
    """

    kind: str
    level: int | None = None
    numbering: tuple[str, int] | None = None
    depth: int = 1


class Styles:
    """The styles of one document."""

    def __init__(self, tree: XmlElement | None, numbering: Numbering) -> None:
        """`tree` is the styles part, None if the document has none."""
        self._numbers = numbering
        styles = [style for style in find_all(tree, "w:style") if style.get(name("w:type"), "paragraph") == "paragraph"]
        self._styles = {style.get(name("w:styleId")): style for style in styles}
        self.looks = Looks(tree)
        default = next((style for style in styles if style.get(name("w:default")) in ("1", "true", "on")), None)
        self._default = default.get(name("w:styleId")) if default is not None else None
        self.language = value(tree, "w:docDefaults/w:rPrDefault/w:rPr/w:lang")

    def style_of(self, paragraph: XmlElement) -> ParagraphStyle:
        """Return the kind of a paragraph: by its own outline level, else by that of its style, else by the style's name."""
        properties = find(paragraph, "w:pPr")
        chain = list(self._chain(value(properties, "w:pStyle")))
        numbering = self._numbering(properties, chain)
        names = [(value(style, "w:name") or "").lower() for style in chain]
        kind = next((KINDS[name] for name in names if name in KINDS), None)
        if any(CONTENTS.fullmatch(name) for name in names):
            return ParagraphStyle("furniture")
        level = self._outline(properties, chain, names)
        if kind != "title" and level is not None and 0 <= level < BODY_LEVEL:
            return ParagraphStyle("heading", level + 1, numbering)
        if kind == "title":
            return ParagraphStyle("title", 1)
        named = next((found for text in names if (found := _LISTS.fullmatch(text))), None)
        depth = max(1 + (numbering[1] if numbering else 0), number(named[1], 1) if named else 1)
        return ParagraphStyle(kind or ("list_item" if numbering or named else "paragraph"), None, numbering, depth)

    def _chain(self, style_id: str | None) -> Iterator[XmlElement]:
        """Yield a style and the styles that it is based on, each once."""
        seen: set[str] = set()
        current = style_id if style_id in self._styles else self._default
        while current is not None and current in self._styles and current not in seen:
            seen.add(current)
            yield self._styles[current]
            current = value(self._styles[current], "w:basedOn")

    def _outline(self, properties: XmlElement | None, chain: Sequence[XmlElement], names: list[str]) -> int | None:
        told = [value(properties, "w:outlineLvl"), *(value(style, "w:pPr/w:outlineLvl") for style in chain)]
        level = next((text for text in told if text is not None), None)
        if level is not None:
            return number(level, BODY_LEVEL)
        return next((int(found[1]) - 1 for text in names if (found := _HEADING.fullmatch(text))), None)

    def _numbering(self, properties: XmlElement | None, chain: list[XmlElement]) -> tuple[str, int] | None:
        """Return the list's id and level: the paragraph's own, else that which the list links to a style, else a style's."""
        own = find(properties, "w:numPr")
        told = [own, *(find(style, "w:pPr/w:numPr") for style in chain)]
        list_id = next((text for place in told if (text := value(place, "w:numId")) is not None), None)
        if list_id in (None, "0"):
            return None
        level = number(value(own, "w:ilvl"), -1)
        if level < 0:
            linked = self._numbers.level_of_style(list_id, (style.get(name("w:styleId")) or "" for style in chain))
            level = linked if linked is not None else -1
        if level < 0:
            level = next((number(text, 0) for place in told if (text := value(place, "w:ilvl")) is not None), 0)
        return list_id, level
