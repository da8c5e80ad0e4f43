"""Charsets: decodes bytes by the Encoding and HTML standards, and reports what had to be guessed."""

import codecs
import re
from typing import NamedTuple
from unicodedata import category

from schemas.records import Reason
from tasks.parse.invalid_bytes import CONTROLS, UNDEFINED, WESTERN, repair
from tasks.parse.rejections import entry

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF32_LE, "utf-32-le"), (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"),
)  # fmt: skip
PRESCAN_BYTES = 1024
"""A page must declare its charset within this many bytes."""
_KINDS = (
    (b"PK\x03\x04", "a ZIP archive or an Office document"),
    (b"\xd0\xcf\x11\xe0", "an old Office document"),
    (b"\x89PNG\r\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"II*\0", "a TIFF picture"),
    (b"MM\0*", "a TIFF picture"),
    (b"\x1f\x8b\x08", "a gzip archive"),
    (b"{\\rtf", "a document in Rich Text Format"),
)
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_META = re.compile(rb"<meta[\s/][^>]*>", re.IGNORECASE)
_CHARSET = re.compile(rb"""charset\s*=\s*["']?\s*([^\s"'/>;]+)""", re.IGNORECASE)
_DECLARATION = re.compile(rb"""<\?xml[^>]*?encoding\s*=\s*["']([^"'>]+)["']""")
_STANDARD = {
    "gbk": "gb18030",
    "gb2312": "gb18030",
    "big5": "big5hkscs",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "iso8859-1": "cp1252",
    "ascii": "cp1252",
    "iso8859-9": "cp1254",
    "tis-620": "cp874",
    "iso8859-11": "cp874",
    "utf-16": "utf-8",
    "utf-16-le": "utf-8",
    "utf-16-be": "utf-8",
    "utf-32": "utf-8",
    "utf-7": "utf-8",
}
"""Python's codecs, and the codecs that the Encoding standard uses instead. A page that names UTF-16 in ASCII is not UTF-16."""
_OF_THE_WEB = re.compile(
    r"ascii|utf-(?:7|8|(?:16|32)(?:-[lb]e)?)|cp(?:125\d|866|874|932|949)|iso8859-\d+|koi8-[ru]|mac-(?:roman|cyrillic)"
    r"|gb\w+|big5\w*|euc_(?:jp|kr)|iso2022_jp|shift_jis|tis-620"
)
_ONE_BYTE = re.compile(r"cp125|cp866|cp874|iso8859|koi8|mac")
_LABELS = {"x-sjis": "cp932", "windows-949": "cp949", "ks_c_5601-1987": "cp949", "windows-874": "cp874", "macintosh": "mac_roman"}


class Decoded(NamedTuple):
    """A text, its charset, and an entry for `rejects` if the charset is a guess or some bytes are not valid in it."""

    text: str
    charset: str
    notes: tuple[Reason, ...] = ()


def decode_page(data: bytes) -> Decoded:
    """Return an HTML page as text.

    What counts is its byte order mark; UTF-16 that its zero bytes show; UTF-8, if all of it is valid; the charset that it
    declares; UTF-8, if most of what is outside ASCII is valid; else windows-1252.
    """
    if by_mark := marked(data):
        return _read(*by_mark)
    if wide := unmarked_utf16(data):
        return wide
    valid = _valid_utf8(data)
    declared = _declared(data[:PRESCAN_BYTES]) or (_declared(data) if valid is None or b"\x1b$" in data else None)
    if valid is not None and not (declared and (data.isascii() or not is_one_byte(declared))):
        named = f"the page names {declared}, but all of it is valid UTF-8: it was read as UTF-8"
        notes = (entry("parse", "CharsetGuess", named, "name utf-8 in it", 1),) if declared else ()
        return Decoded(valid, "utf-8", notes)
    if declared and (declared != "utf-8" or valid is not None):
        return _read(data, declared)
    repaired = repair(data)
    if declared or repaired.is_utf8:
        return Decoded(repaired.text, "utf-8", (repaired.note("page"),))
    return Decoded(_read(data, "cp1252").text, "windows-1252", (guessed("the page names no charset and is not UTF-8"),))


def marked(data: bytes) -> tuple[bytes, str] | None:
    """Return the bytes behind a byte order mark, and the codec that it stands for; None without a mark."""
    return next(((data[len(mark) :], name) for mark, name in _MARKS if data.startswith(mark)), None)


def _valid_utf8(data: bytes) -> str | None:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def _declared(data: bytes) -> str | None:
    """Return the codec that a page declares, as browsers find it: in a meta element or the XML declaration."""
    if (declaration := _DECLARATION.match(data)) and (codec := codec_of(declaration[1])):
        return codec
    for meta in _META.finditer(_COMMENT.sub(b"", data)):
        if (named := _CHARSET.search(meta[0])) and (codec := codec_of(named[1])):
            return codec
    return None


def unmarked_utf16(data: bytes) -> Decoded | None:
    """Return a text in UTF-16 without a byte order mark; None if it is anything else.

    Its spaces and line ends have a zero byte, always on the same side, and it has no control characters and no unassigned ones.

    >>> unmarked_utf16("a b".encode("utf-16-le")).text, unmarked_utf16(b"a b"), unmarked_utf16(bytes(4))
    ('a b', None, None)
    """
    if b"\0" not in data:
        return None
    zeros = [data[side::2].count(0) for side in (0, 1)]
    if len(data) % 2 or zeros[0] == zeros[1] or _is_text_with_zeros(data, sum(zeros)):
        return None
    codec = "utf-16-be" if zeros[0] > zeros[1] else "utf-16-le"
    try:
        text = data.decode(codec)
    except UnicodeDecodeError:
        return None
    if any(category(letter) in ("Cc", "Cn", "Co") and letter not in "\t\n\r\f" for letter in set(text)):
        return None
    message = f"the text is UTF-16 without a byte order mark: it was read as {codec.upper()}, which is a guess"
    return Decoded(text, codec, (entry("parse", "CharsetGuess", message, "check its letters, and save it as UTF-8", 1),))


def _is_text_with_zeros(data: bytes, n_zeros: int) -> bool:
    """Return whether bytes without their few zeros are text in ASCII or UTF-8."""
    rest = data.replace(b"\0", b"")
    return n_zeros < len(data) / 4 and not set(rest) & CONTROLS and _valid_utf8(rest) is not None


def codec_of(label: bytes) -> str | None:
    """Return Python's codec for the label of a charset, None if it is unknown.

    >>> codec_of(b"ISO-8859-1"), codec_of(b"UTF-8"), codec_of(b"x-nothing")
    ('cp1252', 'utf-8', None)
    """
    name = label.decode("ascii", "replace").strip().lower()
    try:
        codec = codecs.lookup(_LABELS.get(name, name)).name
    except (LookupError, ValueError):
        return None
    return _STANDARD.get(codec, codec) if _OF_THE_WEB.fullmatch(codec) else None


def is_one_byte(codec: str) -> bool:
    """Return whether letters of a codec other than ASCII are one byte each, so that they are hardly ever valid UTF-8."""
    return _ONE_BYTE.match(codec) is not None


def _read(data: bytes, codec: str) -> Decoded:
    """Decode. Invalid bytes become U+FFFD and are counted. Undefined bytes of windows-1252 become control characters."""
    if codec == "cp1252":
        return Decoded("".join(chr(b) if b in UNDEFINED else WESTERN[b] for b in data), "windows-1252")
    text = data.decode(codec, "replace")
    n_bad = text.count("\ufffd") - data.decode(codec, "ignore").count("\ufffd") if "\ufffd" in text else 0
    if n_bad <= 0:
        return Decoded(text, codec)
    message = f"{n_bad} characters of the page are not valid in its charset, {codec}: each was replaced by U+FFFD"
    remedy = "if another charset is meant, name that one in the page; else correct these places, and save it as UTF-8"
    return Decoded(text, codec, (entry("parse", "CharsetError", message, remedy, 1),))


def binary_kind(data: bytes) -> str | None:
    """Return what bytes are by their first ones, if these are of a well-known binary format; a PDF may begin a little later."""
    at = data[:PRESCAN_BYTES].find(b"%PDF-")
    if at == 0 or (at > 0 and b"%%EOF" in data[-PRESCAN_BYTES:]):
        return "a PDF"
    return next((name for mark, name in _KINDS if data.startswith(mark)), None)


def guessed(what: str) -> Reason:
    """Return the entry that says that windows-1252 is a guess."""
    return entry(
        "parse",
        "CharsetGuess",
        f"{what}: it was read as windows-1252, which is a guess",
        "check its accented letters, or save it as UTF-8",
        1,
    )
