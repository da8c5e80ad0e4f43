"""Office documents as packages: ZIP archives of linked XML parts. Sizes are checked before anything is unpacked."""

import io
import posixpath
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TypeVar
from urllib.parse import unquote

from schemas.errors import DocumentError
from tasks.parse.office.xml import XmlElement
from tasks.parse.rejections import refusal

MAX_UNPACKED_BYTES = 512 * 2**20
"""Largest total size of the parts, as the archive states it. Reading a part stops at its stated size."""
MAX_XML_BYTES = 64 * 2**20
"""The tree of a larger XML part needs more memory than a worker has."""
MAX_PARTS = 20_000
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_STRICT = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/(\w+)")
WORD, POWERPOINT, EXCEL = "wordprocessingml", "presentationml", "spreadsheetml"
_KINDS = {WORD: "a Word document", POWERPOINT: "a PowerPoint presentation", EXCEL: "an Excel workbook"}
_MAIN_PARTS = ("word/document.xml", "ppt/presentation.xml", "xl/workbook.xml")
"""Where the main part nearly always is, for packages without the relations that name it."""
_DAMAGED = "the file is not an Office document, or is damaged or truncated"
COPY_AGAIN = "get a complete copy of the file, or save it again"


SAFE: dict[str, bool] = {
    "resolve_entities": False, "no_network": True, "load_dtd": False, "remove_comments": True, "remove_pis": True
}  # fmt: skip
"""How XML is read: nothing in it is resolved, and nothing is loaded from outside."""
UNREADABLE = (KeyError, zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError)


def strict_to_transitional(data: bytes) -> bytes:
    """Return XML with the namespaces of Strict Open XML replaced by the usual, transitional ones.

    >>> strict_to_transitional(b'"http://purl.oclc.org/ooxml/wordprocessingml/main"')
    b'"http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    """
    return _STRICT.sub(rb"http://schemas.openxmlformats.org/\1/2006/\2", data)


def xml_tree(data: bytes, part: str) -> XmlElement:
    """Return the root of the XML of a part. Entities are not resolved, and nothing is loaded from outside.

    Raises:
        DocumentError: it is not XML, nests too deeply, or is too large.
    """
    from lxml import etree

    if len(data) > MAX_XML_BYTES:
        message = f"the part {part} of the file has more than {MAX_XML_BYTES >> 20} MiB of XML"
        raise refusal(DocumentError, message, "split the document")
    parser = etree.XMLParser(**SAFE)
    try:
        root: XmlElement = etree.fromstring(strict_to_transitional(data), parser)
    except etree.XMLSyntaxError as error:
        raise refusal(DocumentError, f"the part {part} of the file is not valid XML: {str(error)[:200]}", COPY_AGAIN) from error
    return root


def open_archive(data: bytes, damaged: str, remedy: str) -> zipfile.ZipFile:
    """Return the ZIP archive in the bytes of a file, whose stated sizes are within limits.

    Raises:
        DocumentError: it is none, which `damaged` and `remedy` tell, is too large when unpacked, or encrypted.
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise refusal(DocumentError, damaged, remedy) from error
    _check_archive(archive)
    return archive


def _check_archive(archive: zipfile.ZipFile) -> None:
    infos = archive.infolist()
    total = sum(info.file_size for info in infos)
    if total > MAX_UNPACKED_BYTES or len(infos) > MAX_PARTS:
        message = (
            f"the file unpacks to {total >> 20} MiB in {len(infos)} parts, and at most {MAX_UNPACKED_BYTES >> 20} MiB in "
            f"{MAX_PARTS} are allowed: it may be a ZIP bomb"
        )
        raise refusal(DocumentError, message, "make its pictures smaller, split it, or exclude it")
    if any(info.flag_bits & 1 for info in infos):
        raise refusal(DocumentError, "the file opens only with a password", "save a copy without one, or exclude the file")


Read = TypeVar("Read")
Otherwise = TypeVar("Otherwise")


class Package:
    """The parts of one Office document, read on demand."""

    def __init__(self, data: bytes, kind: str) -> None:
        """Open a document of a `kind`, such as `WORD`.

        Raises:
            DocumentError: it is encrypted, in an old or another format, damaged, or too large when unpacked.
        """
        _refuse_others(data)
        self._archive = open_archive(data, _DAMAGED, COPY_AGAIN)
        self._infos = {_key(info.filename): info for info in self._archive.infolist()}
        self._related: dict[str, list[tuple[str, str, str]]] = {}
        self._check_kind(kind)

    def _check_kind(self, kind: str) -> None:
        """Refuse what is no document of a kind: the main part decides, whatever the list of content types says."""
        if not self.main_part:
            message = "the file is a ZIP archive, but not an Office document, or lacks its main part"
            raise refusal(DocumentError, message, "unpack it and exclude the archive; if it was a document, get a complete copy")
        if f"/{kind}/" not in self.main_tree.tag:
            found = next((told for known, told in _KINDS.items() if f"/{known}/" in self.main_tree.tag), "something else")
            message = f"the content is {found}, not {_KINDS[kind]}"
            raise refusal(DocumentError, message, "save it as .docx, .pptx or PDF, or exclude it")

    @cached_property
    def main_part(self) -> str:
        """The name of the main part; empty if there is none."""
        targets = self.relations("", "/officeDocument")
        return next((part for part in (*targets.values(), *_MAIN_PARTS) if self.has(part)), "")

    @cached_property
    def main_tree(self) -> XmlElement:
        """The XML of the main part."""
        return self.tree(self.main_part)

    def has(self, name: str) -> bool:
        """Return whether there is such a part."""
        return _key(name) in self._infos

    def read(self, name: str) -> bytes:
        """Return a part's bytes.

        Raises:
            DocumentError: the part is missing or damaged.
        """
        try:
            return self._archive.read(self._infos[_key(name)])
        except UNREADABLE as error:
            raise refusal(DocumentError, _missing(name), COPY_AGAIN) from error

    def tree(self, name: str) -> XmlElement:
        """Return a part's XML.

        Raises:
            DocumentError: as `read` and `xml_tree`.
        """
        return xml_tree(self.read(name), name)

    def elements(self, name: str, *tags: str) -> Iterator[XmlElement]:
        """Yield the elements of a long part that have one of the local names `tags`, each whole, and forgotten after it.

        Raises:
            DocumentError: as `tree`; the elements before the damage have been yielded.
        """
        from lxml import etree

        try:
            with self._archive.open(self._infos[_key(name)]) as part:
                wanted = [f"{{*}}{tag}" for tag in tags]
                for _, node in etree.iterparse(part, tag=wanted, **SAFE):
                    yield node
                    node.clear()
                    while node.getprevious() is not None:
                        del node.getparent()[0]
        except etree.XMLSyntaxError as error:
            raise refusal(
                DocumentError, f"the part {name} of the file is not valid XML: {str(error)[:200]}", COPY_AGAIN
            ) from error
        except UNREADABLE as error:
            raise refusal(DocumentError, _missing(name), COPY_AGAIN) from error

    def relations(self, part: str, kind: str = "") -> dict[str, str]:
        """Return the parts that `part` refers to, by id; `kind` is the end of the relation's type.

        Missing parts are skipped.
        """
        return {id_: target for id_, type_, target in self._relations(part) if type_.endswith(kind)}

    def _relations(self, part: str) -> list[tuple[str, str, str]]:
        """Return the id, the type and the part of each relation of `part`, read once."""
        if part not in self._related:
            folder, name = posixpath.split(part)
            rels = posixpath.join(folder, "_rels", f"{name}.rels")
            found = []
            for relation in self.tree(rels) if self.has(rels) else ():
                target = self._target(folder, relation.get("Target") or "")
                if relation.get("TargetMode") != "External" and target:
                    found.append((relation.get("Id") or "", relation.get("Type") or "", target))
            self._related[part] = found
        return self._related[part]

    def _target(self, folder: str, told: str) -> str:
        """Return the part that a relation names, as it is written or with its escapes resolved; "" if there is none."""
        for path in (told, unquote(told), told.partition("#")[0]):
            target = posixpath.normpath(posixpath.join("/", folder, path.replace("\\", "/"))).lstrip("/")
            if self.has(target):
                return target
        return ""


class TolerantPackage:
    """Reads the parts of a package. A damaged part costs only itself: it is read as nothing, and `problems` say what it was."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self.problems: list[str] = []

    def read(self, name: str) -> bytes | None:
        """Return a part's bytes, None if it is missing or damaged."""
        return self._tried(self._package.read, None, name)

    def tree(self, name: str) -> XmlElement | None:
        """Return a part's XML, None if it cannot be read."""
        return self._tried(self._package.tree, None, name)

    def relations(self, part: str, kind: str = "") -> dict[str, str]:
        """Return the parts that `part` refers to, by id, as `Package.relations`; none if it cannot be told."""
        return self._tried(self._package.relations, dict[str, str](), part, kind)

    def _tried(self, read: Callable[..., Read], otherwise: Otherwise, *what: str) -> Read | Otherwise:
        try:
            return read(*what)
        except DocumentError as error:
            if str(error) not in self.problems:
                self.problems.append(str(error))
            return otherwise


def _missing(name: str) -> str:
    return f"the part {name} of the file cannot be read: it is missing or damaged"


def _key(name: str) -> str:
    r"""Return the name of a part as parts are compared: without case, and with the slashes of Windows turned.

    >>> _key("Word\\Document.xml")
    'word/document.xml'
    """
    return name.replace("\\", "/").lstrip("/").casefold()


def kind_of(data: bytes) -> str:
    """Return the kind of Office document that an archive is by its main part's place, or the media type that it states itself.

    It is "" if it is neither.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = {_key(name) for name in archive.namelist()}
            told = archive.read("mimetype")[:100].decode("ascii", "replace").strip() if "mimetype" in names else ""
    except (*UNREADABLE, ValueError):
        return ""
    return next((kind for kind, part in zip((WORD, POWERPOINT, EXCEL), _MAIN_PARTS, strict=True) if part in names), told)


def _refuse_others(data: bytes) -> None:
    if not data:
        raise refusal(DocumentError, "the file is empty (0 bytes)", "replace it by the complete document, or exclude it")
    if data.startswith(_OLE) and _ENCRYPTED in data:
        raise refusal(DocumentError, "the file opens only with a password", "save a copy without one, or exclude the file")
    if data.startswith(_OLE):
        message = "the file is in the old binary format of Office (.doc, .ppt, .xls)"
        raise refusal(DocumentError, message, "save it as .docx, .pptx or PDF, or exclude it")
    if not data.startswith(b"PK"):
        raise refusal(DocumentError, _DAMAGED, COPY_AGAIN)
