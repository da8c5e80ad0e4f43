"""Open Document files, of LibreOffice and other programs: the parts that text documents, workbooks and presentations share."""

import json
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from typing import NamedTuple

from schemas.errors import DocumentError
from schemas.records import Properties, Reason
from tasks.parse.elements.flow_document import note
from tasks.parse.layout.prose import clean
from tasks.parse.office.package import COPY_AGAIN, UNREADABLE, open_archive, xml_tree
from tasks.parse.office.xml import XmlElement, number
from tasks.parse.raised import STRUCK, shifted_text
from tasks.parse.rejections import blank, refusal
from tasks.parse.symbols import in_font, is_symbol_font
from tasks.parse.web.marks import with_readings
from tasks.parse.web.mathml import mathml_source_text
from tasks.parse.web.properties import iso_date

TEXT, TABLE, STYLES, DRAWN = (
    f"{{urn:oasis:names:tc:opendocument:xmlns:{name}:1.0}}" for name in ("text", "table", "style", "drawing")
)
_STYLE = f"{STYLES}style"
_FAMILY = "{urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0}font-family"
_SHIFT = "shift"
"""The attribute that says how a span is shifted, once its style is known."""
FORMULA = "formula"
"""The attribute of a frame that holds the formula in it as a line of text, once it is read."""
_APART = ("annotation", "note", "tracked-changes", "annotation-end", "ruby-text", "number", "placeholder")
"""Elements within a paragraph that are no part of its text."""
_PROMPT = "{urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0}showing-place-holder"
MAX_SPACES = 100


class OpenDocument:
    """The parts of an Open Document file. `rejects` says what was wrong with parts that it can do without."""

    def __init__(self, data: bytes) -> None:
        """Open a file.

        Raises:
            DocumentError: it is encrypted, damaged, or too large when unpacked.
        """
        self.rejects: list[Reason] = []
        self._styles: dict[str | None, XmlElement] = {}
        self._fonts: dict[str | None, XmlElement] = {}
        self._embedded: dict[str, XmlElement | None] = {}
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
        self._styles, self._fonts = (
            {node.get(f"{STYLES}name"): node for node in (*self._named_styles(tag), *tree.iter(tag))}
            for tag in (_STYLE, f"{STYLES}font-face")
        )
        looks = {name: self._look(name) for name in self._styles}
        styled = _STYLED if any(look.is_hidden for look in looks.values()) else [_SPAN]  # a workbook has a paragraph in each cell
        for node in list(tree.iter(*styled)) if any(map(any, looks.values())) else ():
            look = looks.get(node.get(f"{TEXT}style-name"), _PLAIN)
            if look.is_hidden:
                node.clear(keep_tail=True)
            elif node.tag == _SPAN:
                node.set(_SHIFT, str(look.shift))
                node.text = in_font(look.font, node.text or "") if look.font else node.text
        for frame in tree.iter(f"{DRAWN}frame"):
            embedded = self.embedded(frame)
            if embedded is not None and local_name(embedded) == "math":
                frame.set(FORMULA, _formula_text(embedded))
        return tree

    def _chain(self, name: str | None) -> Iterator[XmlElement]:
        """Yield a style and those that it is based on, each once."""
        passed = set[str | None]()
        while name in self._styles and name not in passed:
            passed.add(name)
            yield self._styles[name]
            name = self._styles[name].get(f"{STYLES}parent-style-name")

    def _look(self, name: str | None) -> "_Look":
        """Return what a style and those that it is based on say of text, the nearest first."""
        texts = [node for style in self._chain(name) for node in style.iter(f"{STYLES}text-properties")]
        shift = next(filter(None, map(_own_shift, texts)), "0")
        names = (f"{TEXT}display", f"{STYLES}font-name")
        display, font = (next(filter(None, (text.get(name) for text in texts)), "") for name in names)
        if font in self._fonts:
            font = self._fonts[font].get(_FAMILY, font)
        return _Look(int(shift), display == "none", font if is_symbol_font(font) else "")

    def style_names(self, paragraph: XmlElement) -> list[str]:
        """Return the names of a paragraph's style and of those that it is based on, in small letters, the nearest first."""
        names = (style.get(f"{STYLES}name") or "" for style in self._chain(paragraph.get(f"{TEXT}style-name")))
        return [name.replace("_20_", " ").lower() for name in names]

    def embedded(self, frame: XmlElement) -> XmlElement | None:
        """Return the root of the formula, chart or other document that a frame shows, None if it shows none that can be read."""
        for node in frame.iter(f"{DRAWN}object"):
            name = (node.get("{http://www.w3.org/1999/xlink}href") or "").removeprefix("./")
            if name not in self._embedded:
                self._embedded[name] = None
                with suppress(DocumentError):
                    self._embedded[name] = self.tree(f"{name}/content.xml")
            return self._embedded[name]
        return None

    def margins(self, kind: str) -> list[str]:
        """Return the texts of the headers or the footers of all pages, each once."""
        found = dict[str, None]()
        for node in self._named_styles(*(f"{STYLES}{kind}{pages}" for pages in ("", "-left", "-first"))):
            if node.get(f"{STYLES}display") != "false":
                found[" ".join(" ".join(text_lines(node)).split())] = None
        return list(filter(None, found))

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


class _Look(NamedTuple):
    """What readers see of text: its shift, as `shifted_text` takes it, whether it is hidden, and the font if it is of symbols."""

    shift: int = 0
    is_hidden: bool = False
    font: str = ""


_PLAIN = _Look()
_SPAN = f"{TEXT}span"
_STYLED = (_SPAN, f"{TEXT}p", f"{TEXT}h")


def _own_shift(text: XmlElement) -> str:
    """Return the shift that properties of text state, "" if they do not. A place is `super 58%`, `sub`, or `33% 58%`."""
    lines = [text.get(f"{STYLES}text-line-through-{name}") for name in ("style", "type")]
    if any(line not in (None, "none") for line in lines):
        return str(STRUCK)
    place = (text.get(f"{STYLES}text-position") or "").split(" ")[0]
    if not place:
        return ""
    return {"super": "1", "sub": "-1"}.get(place, "0" if place.startswith("0") else "-1" if place.startswith("-") else "1")


def _formula_text(formula: XmlElement) -> str:
    """Return a formula in MathML as a line of text."""
    from lxml import etree

    for node in formula.iter("*"):
        node.tag = local_name(node)
    return mathml_source_text(etree.tostring(formula, encoding="unicode"))


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
        elif not _is_apart(child):
            yield from _paragraphs(child)


def _is_apart(node: XmlElement) -> bool:
    """Return whether an element is no part of the text, as a prompt to fill something in is none."""
    return local_name(node) in _APART or node.get(_PROMPT) == "true"


def note_mark(note: XmlElement) -> str:
    """Return the mark of a footnote or endnote as it stands in the text and before the note; "" if it has none."""
    cited = clean(next((one.text or "" for one in note.iter(f"{TEXT}note-citation")), "")).strip()
    return f"[{cited}]" if cited else ""


def paragraph_text(node: XmlElement) -> str:
    """Return the text of a paragraph, with its line breaks."""
    return paragraph_code(node).strip()


def paragraph_code(node: XmlElement) -> str:
    """Return the text of a paragraph with the space at its ends."""
    text = clean(shifted_text(list(_pieces(node, 0))))
    rubies = node.iter(f"{TEXT}ruby") if len(node) else ()  # most cells hold nothing but text
    return with_readings(text, {_plain_text(one, "ruby-base"): _plain_text(one, "ruby-text") for one in rubies})


def _plain_text(node: XmlElement, part: str) -> str:
    return clean("".join(text.text or "" for one in node.iter(f"{TEXT}{part}") for text in one.iter())).strip()


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
        elif (formula := child.get(FORMULA)) is not None:
            yield 0, formula
        elif not _is_apart(child) and not str(child.tag).startswith(DRAWN):
            yield from _pieces(child, number(child.get(_SHIFT), 0) or shift)
        yield shift, child.tail or ""
