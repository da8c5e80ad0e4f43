"""Open Document files, of LibreOffice and other programs: the parts that text documents, workbooks and presentations share."""

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property

from schemas.errors import DocumentError
from schemas.records import Properties, Reason
from tasks.parse.elements.flow_document import note
from tasks.parse.layout.prose import clean
from tasks.parse.office.package import COPY_AGAIN, UNREADABLE, open_archive, xml_tree
from tasks.parse.office.xml import XmlElement, number
from tasks.parse.raised import STRUCK, shifted_text
from tasks.parse.rejections import blank, refusal
from tasks.parse.web.properties import iso_date

TEXT, TABLE, STYLES = (f"{{urn:oasis:names:tc:opendocument:xmlns:{name}:1.0}}" for name in ("text", "table", "style"))
_STYLE = f"{STYLES}style"
_SHIFT = "shift"
"""The attribute that says how a span is shifted, once its style is known."""
_APART = ("annotation", "note", "tracked-changes", "annotation-end", "ruby-text", "number")
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
        self._archive = open_archive(data, "the file is not an Open Document file, or is damaged or truncated", COPY_AGAIN)
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
        tree = self.tree("content.xml")
        shifts = _shifts_of([*self._named_styles(_STYLE), *tree.iter(_STYLE)])
        for span in tree.iter(f"{TEXT}span") if any(shifts.values()) else ():
            span.set(_SHIFT, str(shifts.get(span.get(f"{TEXT}style-name") or "", 0)))
        return tree

    def _named_styles(self, *tags: str) -> Iterator[XmlElement]:
        """Yield the styles that users name; nothing if their part is missing or damaged: the text can do without."""
        with suppress(DocumentError):
            yield from self.tree("styles.xml").iter(*tags)

    def list_styles(self) -> Iterator[XmlElement]:
        """Yield the styles of lists and of the outline."""
        tags = (f"{TEXT}list-style", f"{TEXT}outline-style")
        yield from self._named_styles(*tags)
        yield from self.content.iter(*tags)

    def tree(self, name: str) -> XmlElement:
        """Return a part's XML.

        Raises:
            DocumentError: it is missing or damaged.
        """
        data = self.read(name)
        if data is None:
            raise refusal(DocumentError, f"the part {name} of the file cannot be read: it is missing or damaged", COPY_AGAIN)
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


def _shifts_of(styles: Sequence[XmlElement]) -> dict[str, int]:
    """Return the shift of text, as `shifted_text` takes it, by the names of its styles."""
    own, above = dict[str, int | None](), dict[str, str]()
    for style in styles:
        name = style.get(f"{STYLES}name") or ""
        own[name], above[name] = _own_shift(style), style.get(f"{STYLES}parent-style-name") or ""
    found = {}
    for name in own:
        passed, at = set[str](), name
        while own.get(at) is None and at in above and at not in passed:
            passed.add(at)
            at = above[at]
        found[name] = own.get(at) or 0
    return found


def _own_shift(style: XmlElement) -> int | None:
    """Return the shift that a style itself states, None if it does not. A place is `super 58%`, `sub`, or `33% 58%`."""
    for looks in style.iter(f"{STYLES}text-properties"):
        lines = [looks.get(f"{STYLES}text-line-through-{name}") for name in ("style", "type")]
        if any(line not in (None, "none") for line in lines):
            return STRUCK
        place = (looks.get(f"{STYLES}text-position") or "").split(" ")[0]
        if place:
            return {"super": 1, "sub": -1}.get(place, 0 if place.startswith("0") else -1 if place.startswith("-") else 1)
    return None


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


def note_mark(note: XmlElement) -> str:
    """Return the mark of a footnote or endnote as it stands in the text and before the note; "" if it has none."""
    cited = clean(next((one.text or "" for one in note.iter(f"{TEXT}note-citation")), "")).strip()
    return f"[{cited}]" if cited else ""


def paragraph_text(node: XmlElement) -> str:
    """Return the text of a paragraph, with its line breaks."""
    return clean(shifted_text(list(_pieces(node, 0)))).strip()


def _pieces(node: XmlElement, shift: int) -> Iterator[tuple[int, str]]:
    yield shift, node.text or ""
    for child in node:
        kind = local_name(child)
        if kind == "s":
            yield shift, " " * min(MAX_SPACES, number(child.get(f"{TEXT}c"), 1))
        elif kind in ("tab", "line-break"):
            yield shift, "\t" if kind == "tab" else "\n"
        elif kind == "note":
            yield 0, note_mark(child)
        elif kind not in _APART and kind != "frame":
            yield from _pieces(child, number(child.get(_SHIFT), 0) or shift)
        yield shift, child.tail or ""
