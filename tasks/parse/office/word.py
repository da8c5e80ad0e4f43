"""DOCX: the body of a Word document as blocks, its headers and footers as furniture.

This module replaces a converter such as mammoth, which drops equations, headers, footers and the numbers of items and headings,
knows only Word's own heading styles, and keeps hidden text.
"""

from collections.abc import Iterator

from schemas.errors import DocumentError
from schemas.records import Reason
from tasks.parse.books.mhtml import parse_mhtml
from tasks.parse.elements.flow_document import FlowBlock, FlowDocument, note, one_line
from tasks.parse.office.package import WORD, Package, TolerantPackage
from tasks.parse.office.properties import office_properties
from tasks.parse.office.word_flow import WordDocument, WordFlow
from tasks.parse.office.word_numbering import Numbering
from tasks.parse.office.word_styles import Styles
from tasks.parse.office.xml import XmlElement, find, find_all, name
from tasks.parse.rejections import refusal
from tasks.parse.web.document import parse_html

LOOKED_AT = 1024
"""Bytes by which the format of an embedded file is told."""
MAX_DEPTH, MAX_EMBEDDED = 3, 100
"""Documents that are read in the text of each other, and files that are read in all of them together."""


def parse_docx(data: bytes) -> FlowDocument:
    """Return the content of a Word document with all tracked changes accepted. A damaged part beside its text costs only itself.

    Raises:
        DocumentError: it is encrypted, damaged, in another format, or too large when unpacked.
    """
    return _read(data, 0, iter(range(MAX_EMBEDDED)))


def _read(data: bytes, depth: int, files: Iterator[int]) -> FlowDocument:
    """Read a document that lies `depth` deep in the texts of others; `files` has one for each file that may still be read."""
    package = Package(data, WORD)
    main = package.main_part
    tree = package.main_tree
    body = find(tree, "w:body")
    if body is None:
        raise refusal(DocumentError, "the Word document has no body", "save it again, or exclude it")
    parts = TolerantPackage(package)
    numbering = Numbering(_one(parts, main, "numbering"))
    styles = Styles(_one(parts, main, "styles"), numbering)
    notes = {kind: _notes(parts, main, kind) for kind in ("footnote", "endnote", "comment")}
    unread: list[Reason] = []
    document = WordDocument(parts, styles, numbering, notes, lambda embedded: _read_embedded(embedded, depth, files, unread))
    blocks = WordFlow(document, main).read(body)
    heads, feet = (_around(document, main, tree, part) for part in ("header", "footer"))
    properties = office_properties(parts, styles.language)
    return FlowDocument([*heads, *blocks, *feet], properties, rejects=[*unread, *map(_damage, parts.problems)])


def _one(package: TolerantPackage, main: str, kind: str) -> XmlElement | None:
    part = next(iter(package.relations(main, f"/{kind}").values()), None)
    return package.tree(part) if part else None


def _notes(package: TolerantPackage, main: str, kind: str) -> tuple[str, dict[str, XmlElement]]:
    """Return the part of footnotes, endnotes or comments, and its notes by id, without separators."""
    part = next(iter(package.relations(main, f"/{kind}s").values()), "")
    tree = package.tree(part) if part else None
    found = [note for note in find_all(tree, f"w:{kind}") if note.get(name("w:type")) in (None, "normal")]
    return part, {note.get(name("w:id")) or "": note for note in found}


def _around(document: WordDocument, main: str, tree: XmlElement, kind: str) -> list[FlowBlock]:
    """Return the headers or footers that a section shows, without duplicates."""
    targets = document.package.relations(main, f"/{kind}")
    ids = [reference.get(name("r:id")) for reference in tree.iter(name(f"w:{kind}Reference"))]
    parts = dict.fromkeys(targets[id_] for id_ in ids if id_ in targets)
    trees = [(part, around) for part in parts if (around := document.package.tree(part)) is not None]
    blocks = [block for part, around in trees for block in WordFlow(document, part).read(around)]
    texts = [one_line(block.text or " ".join(cell.text for cell in block.cells)) for block in blocks]
    return [FlowBlock("furniture", text) for text in dict.fromkeys(texts) if text]


def _damage(problem: str) -> Reason:
    message = f"{problem}; the rest of the document was read"
    return note("PartError", message, "open the document in Word, check what is missing, and save it again")


def _read_embedded(data: bytes, depth: int, files: Iterator[int], unread: list[Reason]) -> list[FlowBlock]:
    """Return the blocks of a file in the text: a page, with or without its pictures, or a Word document; tell what is another."""
    start = data[:LOOKED_AT].lower()
    try:
        if next(files, None) is None:
            raise DocumentError("there are too many")
        if data.startswith(b"PK") and depth < MAX_DEPTH:
            found = _read(data, depth + 1, files)
        elif b"mime-version:" in start:
            found = parse_mhtml(data)
        elif b"<" in start:
            found = parse_html(data, xhtml=False)
        else:
            raise DocumentError("it is of a format that is not read there")
    except DocumentError as error:
        message = f"a file embedded in the document's text was not read: {error}"
        unread.append(
            note("PartError", message, "open the document in Word and save it: Word then makes its text part of the document")
        )
        return []
    unread += found.rejects
    return [block._replace(kind="heading") if block.kind == "title" else block for block in found.blocks]
