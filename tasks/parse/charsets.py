"""Charsets: decodes bytes by the Encoding and HTML standards, and reports what had to be guessed."""

import codecs
import re
from typing import Any, NamedTuple

from tasks.parse.rejections import entry

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
PRESCAN_BYTES = 1024
"""A page must declare its charset within this many bytes."""
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
_LABELS = {"x-sjis": "cp932", "windows-949": "cp949", "ks_c_5601-1987": "cp949", "windows-874": "cp874", "macintosh": "mac_roman"}
MAX_FOREIGN = 0.15
"""Largest share of bytes outside ASCII in a text that may be Western European. Other scripts have more."""
_UNDEFINED = frozenset((0x81, 0x8D, 0x8F, 0x90, 0x9D))
_CONTROLS = frozenset(range(32)) - frozenset(b"\t\n\r\f\x1a")


class Decoded(NamedTuple):
    """A text, its charset, and an entry for `rejects` if the charset is a guess or some bytes are not valid in it."""

    text: str
    charset: str
    notes: tuple[dict[str, Any], ...] = ()


def decode_page(data: bytes) -> Decoded:
    """Return an HTML page as text: by its byte order mark, its declaration, as UTF-8 if valid, else as windows-1252."""
    for mark, name in _MARKS:
        if data.startswith(mark):
            return _read(data[len(mark) :], name)
    declared = _declared(data)
    if declared:
        return _read(data, declared)
    try:
        return Decoded(data.decode(), "utf-8")
    except UnicodeDecodeError:
        return Decoded(_read(data, "cp1252").text, "windows-1252", (guessed("the page names no charset and is not UTF-8"),))


def _declared(data: bytes) -> str | None:
    """Return the codec that the first bytes declare, as browsers find it: in a meta element or the XML declaration."""
    start = data[:PRESCAN_BYTES]
    if (declaration := _DECLARATION.match(start)) and (codec := codec_of(declaration[1])):
        return codec
    for meta in _META.finditer(_COMMENT.sub(b"", start)):
        if (named := _CHARSET.search(meta[0])) and (codec := codec_of(named[1])):
            return codec
    return None


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


def _read(data: bytes, codec: str) -> Decoded:
    """Decode. Invalid bytes become U+FFFD and are counted. Undefined bytes of windows-1252 become control characters."""
    if codec == "cp1252":
        return Decoded("".join(chr(b) if b in _UNDEFINED else _WESTERN[b] for b in data), "windows-1252")
    text = data.decode(codec, "replace")
    n_bad = text.count("\ufffd") - data.count("\ufffd".encode()) if "\ufffd" in text else 0
    if n_bad <= 0:
        return Decoded(text, codec)
    message = f"{n_bad} characters of the page are not valid in its charset, {codec}: each was replaced by U+FFFD"
    return Decoded(text, codec, (entry("parse", "CharsetError", message, "save it as UTF-8", 1),))


_WESTERN = [bytes([b]).decode("cp1252", "replace") for b in range(256)]


def western(data: bytes) -> str | None:
    """Return plain text as windows-1252, or None if it does not look like Western European prose.

    Any bytes decode as windows-1252. It is likely if nearly all are ASCII, and none is undefined or a control character.

    >>> western("Das Gebäude: 5 €".encode("cp1252")), western("Здание".encode("cp1251"))
    ('Das Gebäude: 5 €', None)
    """
    counts = set(data)
    n_foreign = sum(byte >= 0x80 for byte in data)
    if counts & _UNDEFINED or counts & _CONTROLS or n_foreign > MAX_FOREIGN * len(data):
        return None
    return data.decode("cp1252")


def guessed(what: str) -> dict[str, Any]:
    """Return the entry that says that windows-1252 is a guess."""
    return entry(
        "parse",
        "CharsetGuess",
        f"{what}: it was read as windows-1252, which is a guess",
        "check its accented letters, or save it as UTF-8",
        1,
    )
