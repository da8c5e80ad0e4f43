"""Open Document files, of LibreOffice and other programs: the parts that text documents, workbooks and presentations share."""

import json
from collections.abc import Iterator
from functools import cached_property

from schemas.errors import DocumentError
from schemas.records import Properties, Reason
from tasks.parse.elements.flow_document import note
from tasks.parse.layout.prose import clean
from tasks.parse.office.package import UNREADABLE, open_archive, xml_tree
from tasks.parse.office.xml import XmlElement, number
from tasks.parse.rejections import blank, refusal
from tasks.parse.web.properties import iso_date

_COPY = "get a complete copy of the file, or save it again"
TEXT, TABLE = (f"{{urn:oasis:names:tc:opendocument:xmlns:{name}:1.0}}" for name in ("text", "table"))
_APART = ("annotation", "note", "tracked-changes", "annotation-end", "ruby-text")
"""Elements within a paragraph that are no part of its text."""
MAX_SPACES = 100


class OpenDocument:
    """The parts of an Open Document file. `rejects` says what was wrong with parts that it can do without."""

    def __init__(self, data: bytes) -> None:
        """Open a file.

        Raises:
            DocumentError: it is encrypted, damaged, or too large when unpacked.
        """
        self.rejects: list[Reason] = []
        if not data:
            raise blank(data)
        self._archive = open_archive(data, "the file is not an Open Document file, or is damaged or truncated", _COPY)
        if b"encryption-data" in (self.read("META-INF/manifest.xml") or b""):
            raise refusal(DocumentError, "the file opens only with a password", "save a copy without one, or exclude the file")

    def read(self, name: str) -> bytes | None:
        """Return a part's bytes, None if it is missing or damaged."""
        try:
            return self._archive.read(name)
        except UNREADABLE:
            return None

    @cached_property
    def content(self) -> XmlElement:
        """The XML of the content.

        Raises:
            DocumentError: it is missing or damaged.
        """
        return self.tree("content.xml")

    def tree(self, name: str) -> XmlElement:
        """Return a part's XML.

        Raises:
            DocumentError: it is missing or damaged.
        """
        data = self.read(name)
        if data is None:
            raise refusal(DocumentError, f"the part {name} of the file cannot be read: it is missing or damaged", _COPY)
        return xml_tree(data, name)

    def body(self) -> XmlElement:
        """Return the element that holds the text, the sheets or the slides.

        Raises:
            DocumentError: there is none.
        """
        for node in self.content.iter("{*}body"):
            for kind in node:
                return kind
        raise refusal(DocumentError, "the file has no content", "save it again, or exclude it")

    def properties(self) -> Properties:
        """Return what the file states of itself."""
        fields: dict[str, str] = {}
        try:
            for node in self.tree("meta.xml").iter():
                if text := clean(node.text or "").strip():
                    fields.setdefault(local_name(node), text)
        except DocumentError as error:
            self.rejects.append(note("PartError", f"{error}; the rest was read", "save the document again"))
        extra = {name: fields[name] for name in ("subject", "keyword", "description") if name in fields}
        return {
            "title": fields.get("title"),
            "author": fields.get("initial-creator") or fields.get("creator"),
            "created": iso_date(fields.get("creation-date", "")),
            "modified": iso_date(fields.get("date", "")),
            "language": fields.get("language"),
            "extra": json.dumps(extra, ensure_ascii=False, sort_keys=True),
        }


def local_name(node: XmlElement) -> str:
    """Return the name of an element without its namespace; "" for what is no element."""
    return node.tag.rpartition("}")[2] if isinstance(node.tag, str) else ""


def text_lines(node: XmlElement) -> list[str]:
    """Return the text of each paragraph and heading in an element, those of notes and comments in it left out."""
    return [paragraph_text(one) for one in _paragraphs(node)]


def _paragraphs(node: XmlElement) -> Iterator[XmlElement]:
    for child in node:
        if local_name(child) in ("p", "h"):
            yield child
        elif local_name(child) not in _APART:
            yield from _paragraphs(child)


def paragraph_text(node: XmlElement) -> str:
    """Return the text of a paragraph, with its line breaks."""
    return clean("".join(_pieces(node))).strip()


def _pieces(node: XmlElement) -> Iterator[str]:
    yield node.text or ""
    for child in node:
        kind = local_name(child)
        if kind == "s":
            yield " " * min(MAX_SPACES, number(child.get(f"{TEXT}c"), 1))
        elif kind in ("tab", "line-break"):
            yield "\t" if kind == "tab" else "\n"
        elif kind not in _APART and kind != "frame":
            yield from _pieces(child)
        yield child.tail or ""
