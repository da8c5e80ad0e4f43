"""A source on its way into a typesetter's language: what Typst, LaTeX and LibreOffice walk through alike. Pure."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from benchmarks.roundtrip.markup.look import Look
from benchmarks.roundtrip.markup.tree import Element, classes, parse_body, squeeze
from benchmarks.roundtrip.markup.widths import columns_for

Setter = Callable[["Markup", Element], str]


class Language(NamedTuple):
    """How a typesetter says text that means itself, elements by their tags, and the arrangements of sections by their classes."""

    escaped: Callable[[str], str]
    setters: Mapping[str, Setter]
    arrangements: Mapping[str, Setter]


class Markup:
    """A source in a language. `width` is the room in points where the walk is.

    `kept` has what the document needs beside its text, by name: drawings by the name of their file, styles of LibreOffice.

    Raises:
        ValueError: the source holds what cannot be set in this look.
    """

    def __init__(self, name: str, body: str, look: Look, language: Language) -> None:
        self.name, self.look, self.language = name, look, language
        self.kept: dict[str, str] = {}
        self.root = parse_body(body)
        self.columns = columns_for(self.root, look)
        self.width = (look.width() - look.gap * (self.columns - 1)) / self.columns

    def inner(self, element: Element, without: Element = None) -> str:
        """Return what stands in an element, its words and its children, but for the child `without`."""
        said = self.language.escaped
        parts = (("" if child is without else self.one(child)) + said(squeeze(child.tail)) for child in element)
        return said(squeeze(element.text)) + "".join(parts)

    def one(self, element: Element) -> str:
        """Return an element; one without a setter is its children."""
        if not isinstance(element.tag, str):
            return ""
        own = [arrange for name, arrange in self.language.arrangements.items() if name in classes(element)]
        setter = own[0] if own and element.tag in ("section", "div") else self.language.setters.get(element.tag)
        return setter(self, element) if setter else self.inner(element)

    def within(self, width: float, element: Element) -> str:
        """Return what stands in an element that is narrower than its surroundings."""
        before, self.width = self.width, width
        text = self.inner(element)
        self.width = before
        return text

    def chart(self, element: Element, suffix: str) -> str:
        """Keep a drawing and return the name of its file."""
        from lxml import etree

        name = f"{self.name}-{len(self.kept)}.{suffix}"
        self.kept[name] = etree.tostring(element, encoding="unicode", with_tail=False)
        return name
