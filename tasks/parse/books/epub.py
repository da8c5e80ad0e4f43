"""EPUB: the chapters of a book in the order in which they are read, with their notes and pictures."""

import json
import posixpath
import zipfile
from collections.abc import Iterator
from functools import cache, partial
from urllib.parse import unquote

from schemas.errors import DocumentError, EmptyDocument
from schemas.records import Properties, Reason
from tasks.parse.books.inlined import with_pictures
from tasks.parse.elements.flow_document import FlowBlock, FlowDocument, note, one_line
from tasks.parse.office.open_document import local_name
from tasks.parse.office.package import UNREADABLE, open_archive, xml_tree
from tasks.parse.office.xml import XmlElement
from tasks.parse.rejections import blank, refusal
from tasks.parse.web.document import parse_html
from tasks.parse.web.properties import iso_date
from tasks.parse.web.sheets import FindSheet

_COPY = "get a complete copy of the book, or exclude it"
_PAGES = (
    "application/xhtml+xml", "text/html", "application/x-dtbook+xml", "text/x-oeb1-document", "application/xml", "text/xml",
    "image/svg+xml",
)  # fmt: skip


def parse_epub(data: bytes) -> FlowDocument:
    """Return the chapters of a book; a damaged one costs only itself.

    Raises:
        DocumentError: it is encrypted, damaged, or too large when unpacked.
    """
    if not data:
        raise blank(data)
    book = Book(open_archive(data, "the file is not an EPUB, or is damaged or truncated", _COPY))
    document = FlowDocument([], book.properties())
    document.stream = _chapters(book, document.rejects)
    return document


class Book:
    """The files of a book, and its package document, which names them."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        container = xml_tree(self.read("META-INF/container.xml"), "META-INF/container.xml")
        path = next((node.get("full-path") for node in container.iter("{*}rootfile")), None)
        if not path:
            raise refusal(DocumentError, "the book does not name its package document", _COPY)
        self._folder = posixpath.dirname(path)
        self._package = xml_tree(self.read(path), path)

    def read(self, name: str) -> bytes:
        """Return the bytes of a file.

        Raises:
            DocumentError: it is missing, damaged or encrypted.
        """
        try:
            return self._archive.read(name)
        except UNREADABLE as error:
            raise refusal(DocumentError, f"{name} in the book is missing or damaged", _COPY) from error

    def pages(self) -> list[str]:
        """Return the paths of the pages in their order; those that are shown only when asked for come last."""
        items = {node.get("id"): node for node in self._package.iter("{*}item")}
        spine = [(node.get("linear") == "no", items.get(node.get("idref"))) for node in self._package.iter("{*}itemref")]
        spine.sort(key=lambda pair: pair[0])
        shown = [node for _, node in spine if node is not None and _is_page(node.get("media-type") or "")]
        return [
            self.path(self._folder, node.get("href") or "")
            for node in shown
            if "nav" not in (node.get("properties") or "").split()
        ]

    @staticmethod
    def path(folder: str, address: str) -> str:
        """Return the path of what an address in a file of a folder names."""
        return posixpath.normpath(posixpath.join(folder, unquote(address.partition("#")[0])))

    def find(self, name: str) -> bytes | None:
        """Return the bytes of a picture or style sheet, None if it is not in the book."""
        try:
            return self._archive.read(name)
        except UNREADABLE:
            return None  # the page names a picture, or its alternative text does; styles can be missed

    def properties(self) -> Properties:
        """Return what the book says of itself."""
        fields: dict[str, list[str]] = {}
        for node in self._package.iter("{http://purl.org/dc/elements/1.1/}*"):
            if text := one_line(node.text or ""):
                fields.setdefault(local_name(node), []).append(text)
        modified = next((node.text for node in self._package.iter("{*}meta") if _is_modified(node)), None)
        extra = {name: ", ".join(fields[name]) for name in ("subject", "description", "publisher") if name in fields}
        return {
            "title": next(iter(fields.get("title", ())), None),
            "author": ", ".join(fields.get("creator", ())) or None,
            "created": iso_date(next(iter(fields.get("date", ())), "")),
            "modified": iso_date(modified or ""),
            "language": next(iter(fields.get("language", ())), None),
            "extra": json.dumps(extra, ensure_ascii=False, sort_keys=True),
        }


def _is_page(media_type: str) -> bool:
    return media_type.partition(";")[0].strip().lower() in _PAGES


def _is_modified(node: XmlElement) -> bool:
    return node.get("property") == "dcterms:modified"


def _chapters(book: Book, rejects: list[Reason]) -> Iterator[FlowBlock]:
    find_sheet = cache(book.find)
    for n, page in enumerate(book.pages(), 1):
        try:
            yield from _read_chapter(book, page, find_sheet)
        except EmptyDocument:
            continue  # a page of nothing but a cover that is drawn, or a blank one
        except DocumentError as error:
            rejects.append(note("PartError", f"chapter {n}, {page}: {error}; the rest of the book was read", _COPY))


def _read_chapter(book: Book, page: str, find_sheet: FindSheet) -> list[FlowBlock]:
    path = partial(book.path, posixpath.dirname(page))
    data = with_pictures(book.read(page), lambda address: book.find(path(address)))
    return parse_html(data, True, lambda address: find_sheet(path(address))).blocks
