"""Media types by file name. Imports nothing heavy, because the planner asks for every file."""

import posixpath
import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple

from schemas.errors import InputError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

PDF, TIFF, PLAIN_TEXT, MARKDOWN = "application/pdf", "image/tiff", "text/plain", "text/markdown"
RST = "text/x-rst"
EML, MSG = "message/rfc822", "application/vnd.ms-outlook"
HTML, XHTML = "text/html", "application/xhtml+xml"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
XLS, ODS = "application/vnd.ms-excel", "application/vnd.oasis.opendocument.spreadsheet"
CSV, TSV = "text/csv", "text/tab-separated-values"
ODT, ODP = "application/vnd.oasis.opendocument.text", "application/vnd.oasis.opendocument.presentation"
DOC, PPT, RTF = "application/msword", "application/vnd.ms-powerpoint", "application/rtf"
CONVERTED = (DOC, PPT, RTF)
"""Formats that LibreOffice converts to DOCX and PPTX."""
EPUB, MHTML, WEBARCHIVE = "application/epub+zip", "multipart/related", "application/x-webarchive"
JSON, JSONL, XML, YAML = "application/json", "application/jsonl", "application/xml", "application/yaml"
IPYNB, VTT, SRT, CODE = "application/x-ipynb+json", "text/vtt", "application/x-subrip", "text/x-source"
PNG, JPEG, WEBP, GIF, BMP, HEIC = "image/png", "image/jpeg", "image/webp", "image/gif", "image/bmp", "image/heic"
PAGES = (HTML, XHTML)
PICTURES = (PNG, JPEG, WEBP, GIF, BMP, HEIC)


class Format(NamedTuple):
    """A format: its name, what a file of it is called, its suffixes in lower case, and whether it is parsed very quickly."""

    name: str
    said: str
    suffixes: tuple[str, ...]
    light: bool = False


CODE_SUFFIXES = tuple(
    f".{name}"
    for name in "py js mjs ts tsx jsx java go c h cc cpp hpp cs rs rb php kt swift scala sh sql r lua pl m jl dart".split()
)
FORMATS = {
    PDF: Format("PDF", "a PDF", (".pdf",)),
    TIFF: Format("TIFF", "a TIFF", (".tif", ".tiff")),
    DOCX: Format("Word (.docx)", "a Word document", (".docx", ".docm", ".dotx", ".dotm")),
    PPTX: Format("PowerPoint (.pptx)", "a PowerPoint presentation", (".pptx", ".pptm", ".ppsx", ".ppsm", ".potx", ".potm")),
    XLSX: Format("Excel (.xlsx, .xlsm)", "an Excel workbook", (".xlsx", ".xlsm", ".xltx", ".xltm")),
    XLS: Format("Excel (.xls)", "an old Excel workbook", (".xls", ".xlt")),
    ODS: Format("Open Document workbook (.ods)", "an Open Document workbook", (".ods", ".ots")),
    CSV: Format("CSV", "CSV", (".csv",)),
    TSV: Format("TSV", "TSV", (".tsv", ".tab")),
    ODT: Format("Open Document text (.odt)", "an Open Document text", (".odt", ".ott")),
    ODP: Format("Open Document presentation (.odp)", "an Open Document presentation", (".odp", ".otp")),
    DOC: Format("Word (.doc)", "an old Word document", (".doc", ".dot")),
    PPT: Format("PowerPoint (.ppt)", "an old PowerPoint presentation", (".ppt", ".pps", ".pot")),
    RTF: Format("RTF", "rich text (RTF)", (".rtf",)),
    EPUB: Format("EPUB", "an EPUB", (".epub",)),
    PNG: Format("PNG", "a PNG picture", (".png",)),
    JPEG: Format("JPEG", "a JPEG picture", (".jpg", ".jpeg")),
    WEBP: Format("WebP", "a WebP picture", (".webp",)),
    GIF: Format("GIF", "a GIF picture", (".gif",)),
    BMP: Format("BMP", "a BMP picture", (".bmp",)),
    HEIC: Format("HEIC", "an HEIC picture", (".heic", ".heif")),
    MHTML: Format("MHTML", "MHTML", (".mhtml", ".mht")),
    WEBARCHIVE: Format("Safari's web archive (.webarchive)", "a web archive", (".webarchive",)),
    JSON: Format("JSON", "JSON", (".json",)),
    JSONL: Format("JSON lines", "JSON lines", (".jsonl", ".ndjson")),
    XML: Format("XML", "XML", (".xml", ".nxml", ".dbk", ".tei")),
    IPYNB: Format("Jupyter notebook (.ipynb)", "a Jupyter notebook", (".ipynb",)),
    YAML: Format("YAML", "YAML", (".yaml", ".yml"), light=True),
    VTT: Format("WebVTT", "WebVTT", (".vtt",), light=True),
    SRT: Format("SubRip (.srt)", "SubRip", (".srt",), light=True),
    CODE: Format("code", "code", CODE_SUFFIXES, light=True),
    HTML: Format("HTML", "HTML", (".html", ".htm"), light=True),
    XHTML: Format("XHTML", "XHTML", (".xhtml",), light=True),
    MARKDOWN: Format("Markdown", "Markdown", (".md", ".markdown"), light=True),
    RST: Format("reStructuredText (.rst)", "reStructuredText", (".rst", ".rest"), light=True),
    EML: Format("mail (.eml)", "a mail", (".eml",), light=True),
    MSG: Format("Outlook message (.msg)", "an Outlook message", (".msg",), light=True),
    PLAIN_TEXT: Format("plain text", "plain text", (".txt", ".text"), light=True),
}
"""The formats that Pagemill reads, by media type. A picture among the files of a source is a document."""

ZIP, TAR, TAR_GZ = "application/zip", "application/x-tar", "application/gzip"

MBOX = "application/mbox"

CONTAINERS = {ZIP: (".zip",), TAR: (".tar",), TAR_GZ: (".tar.gz", ".tgz"), MBOX: (".mbox",)}
"""Files that are no documents but hold some, by media type with their suffixes in lower case."""
_CONTAINER_SUFFIXES = tuple(suffix for suffixes in CONTAINERS.values() for suffix in suffixes)

SUFFIXES = {suffix: media_type for media_type, known in FORMATS.items() for suffix in known.suffixes}

USUAL_SUFFIXES = sorted([known.suffixes[0] for known in FORMATS.values()] + [suffixes[0] for suffixes in CONTAINERS.values()])
"""One suffix of each format, for people."""

MAILS = (EML, MSG)
"""Documents that may hold others."""

READERS_GROUP = "pagemill.readers"
"""The entry points of packages that add formats: the name is a suffix without its dot, the object a function of the bytes."""
ADDED = "application/vnd.pagemill."
"""How the media types of added formats begin; their suffixes follow."""


class AddedFormat(NamedTuple):
    """A format that an installed package adds: the package with its version, and where its function is."""

    package: str
    entry_point: "EntryPoint"


@cache
def find_added_formats() -> Mapping[str, AddedFormat]:
    """Return the formats that installed packages add, by media type. Looking for them takes 20 ms and more, once in a process.

    Raises:
        InputError: a package adds what Pagemill reads itself, or another package adds too.
    """
    from importlib.metadata import entry_points

    added: dict[str, AddedFormat] = {}
    for found in entry_points(group=READERS_GROUP):
        suffix = f".{found.name.lower()}"
        package = f"{found.dist.name} {found.dist.version}" if found.dist else found.value
        kind = ADDED + suffix[1:]
        own = SUFFIXES.get(suffix) or container_type_of(suffix)
        if own or kind in added:
            other = "Pagemill itself" if own else added[kind].package
            raise InputError(f"{package} and {other} both read {suffix}: remove the package, or have it name another suffix")
        added[kind] = AddedFormat(package, found)
    return added


def find_reader(media_type: str) -> str:
    """Return the package that reads files of an added format, with its version; blank for others, and if it is not here."""
    if not media_type.startswith(ADDED):
        return ""
    added = find_added_formats().get(media_type)
    return added.package if added else ""


def find_format(media_type: str) -> Format:
    """Return the format of a media type, of an added one as well.

    >>> find_format("application/vnd.pagemill.wiki").name
    '.wiki'
    """
    suffix = "." + media_type.removeprefix(ADDED)
    return Format(suffix, suffix, (suffix,)) if media_type.startswith(ADDED) else FORMATS[media_type]


def media_type_of(path: str | PurePath) -> str | None:
    """Return the media type for the suffix of a file name, or None if Pagemill cannot read such files.

    >>> media_type_of("a/REPORT.PDF"), media_type_of("a.exe")
    ('application/pdf', None)
    """
    name = str(path)
    dot = name.rfind(".")
    if dot > 0 and name[dot - 1] not in "/." and (known := SUFFIXES.get(name[dot:])):
        return known  # nearly always: to split names of a million files takes half a second
    suffix = posixpath.splitext(name)[1].lower()
    known = SUFFIXES.get(suffix)
    if known or not suffix or container_type_of(suffix):
        return known
    kind = ADDED + suffix[1:]
    return kind if kind in find_added_formats() else None


STARTS = {
    b"%PDF-": PDF, b"II*\0": TIFF, b"MM\0*": TIFF, b"\x89PNG\r\n": PNG, b"\xff\xd8\xff": JPEG, b"GIF8": GIF, b"{\\rtf": RTF,
}  # fmt: skip
"""How files of some formats begin, and no others."""
START_BYTES = 8192
"""Enough to see in what folder the parts of an Open XML file lie."""
OLE = b"\xd0\xcf\x11\xe0"
"""How old files of Office and Outlook begin."""
_STATED = re.compile(rb"PK\x03\x04.{26}mimetype([\w./+-]+)", re.DOTALL)
_OPEN_XML = re.compile(rb"PK\x03\x04.{26}(?:\[Content_Types\]\.xml|_rels/|docProps/|word/|ppt/|xl/)", re.DOTALL)
_PART = re.compile(rb"PK\x03\x04.{26}(word|ppt|xl)/", re.DOTALL)
_PARTS = {b"word": DOCX, b"ppt": PPTX, b"xl": XLSX}
_PAGE = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html)\b", re.IGNORECASE)
_SUFFIX = re.compile(r"\.[A-Za-z]\w{0,9}\Z")


def lacks_suffix(path: str | PurePath) -> bool:
    """Return whether the name of a file has no suffix, so that only its content tells what it is; hidden files have none to tell.

    >>> lacks_suffix("a.b/report"), lacks_suffix("paper 1706.03762"), lacks_suffix("report.part"), lacks_suffix(".profile")
    (True, True, False, False)
    """
    name = str(path)
    return not _SUFFIX.match(name, max(name.rfind("."), 0))


def media_type_by_mark(start: bytes) -> str | None:
    """Return the media type that the mark at the start of a file alone tells; None if there is none.

    >>> media_type_by_mark(b"GIF89a"), media_type_by_mark(b"RIFF....WAVE")
    ('image/gif', None)
    """
    if start.startswith(b"RIFF") and start[8:12] == b"WEBP":
        return WEBP
    if start[4:12] in (b"ftypheic", b"ftypheix", b"ftypmif1"):
        return HEIC
    return next((kind for mark, kind in STARTS.items() if start.startswith(mark)), None)


def media_type_by_start(start: bytes) -> str | None:
    """Return the media type of a document whose name does not tell it, by its first START_BYTES; None if neither do these.

    Where the start of an Office file tells only that it is one, DOCX or DOC stands for it, and the parser tells them apart.

    >>> media_type_by_start(b"%PDF-1.7"), media_type_by_start(b"Dear Ada,")
    ('application/pdf', None)
    """
    if stated := _STATED.match(start):
        return next((kind for kind in (ODT, ODS, ODP, EPUB) if stated[1].startswith(kind.encode())), None)
    if _OPEN_XML.match(start):
        part = _PART.search(start)
        return _PARTS[part[1]] if part else DOCX
    if start.startswith(OLE):
        return DOC
    return HTML if _PAGE.match(start) else media_type_by_mark(start)


def container_type_of(path: str) -> str | None:
    """Return the media type of a file that holds documents, for the suffix of its name, or None if it holds none.

    >>> container_type_of("a/LETTERS.TAR.GZ"), container_type_of("a.gz")
    ('application/gzip', None)
    """
    name = path.lower()
    if not name.endswith(_CONTAINER_SUFFIXES):
        return None
    return next((kind for kind, suffixes in CONTAINERS.items() if name.endswith(suffixes)), None)


def holds_documents(path: str) -> bool:
    """Return whether a file holds documents by its name: it is a container, or a document that has some."""
    return container_type_of(path) is not None or media_type_of(path) in MAILS


def chooses_format(path: str, formats: Sequence[str]) -> bool:
    """Return whether `plan.formats` chooses a file: of the formats named, if any are, and of none with a minus before it.

    A format is named by any of its suffixes. Files that hold others are chosen unless they are left out by name.

    >>> chooses_format("a.JPEG", ["-jpg"]), chooses_format("a.docx", ["pdf"]), chooses_format("a.zip", ["pdf"])
    (False, False, True)
    """
    kind = container_type_of(path) or media_type_of(path)
    named = {name: _format_of(name.removeprefix("-")) for name in formats}
    wanted = {one for name, one in named.items() if not name.startswith("-")}
    unwanted = {one for name, one in named.items() if name.startswith("-")}
    return kind not in unwanted and (not wanted or kind in wanted or container_type_of(path) is not None)


def _format_of(name: str) -> str | None:
    return container_type_of(f".{name}") or media_type_of(f"file.{name}")


def is_format(name: str) -> bool:
    """Return whether a name, with or without a minus before it, is the suffix of a format."""
    return _format_of(name.removeprefix("-")) is not None


_PAGE_FOLDER = re.compile("(?:_files|-Dateien|\\.files|_fichiers|_archivos|_file)/")
"""How browsers name the folder of a page that they save, after the page."""


def is_part_of_page(path: str, pages: Collection[str]) -> bool:
    """Return whether a file lies in the folder of a saved page; `pages` are the paths of the pages without their suffixes.

    >>> is_part_of_page("a/News_files/logo.png", {"a/News"}), is_part_of_page("a/News_files/logo.png", {"News"})
    (True, False)
    """
    return any(path[: folder.start()] in pages for folder in _PAGE_FOLDER.finditer(path))


def is_hidden(name: str) -> bool:
    """Return whether a file or folder is no document by its name: hidden, or the mark of Office that a document is open.

    >>> is_hidden(".git"), is_hidden("~$report.docx"), is_hidden("~notes.txt")
    (True, True, False)
    """
    return name.startswith((".", "~$"))
