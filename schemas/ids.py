"""Ids are made from content and place, never at random: the same input always gives the same rows."""

import hashlib
import json
import unicodedata


def digest(*parts: object) -> str:
    """Return the first 128 bits of SHA-256 over `parts`, joined by NUL, as 32 hex digits.

    >>> digest("a", 1) == digest("a", "1")
    True
    """
    joined = "\x00".join(str(part) for part in parts)
    return hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def json_digest(value: object) -> str:
    """Return `digest` of the canonical JSON of `value`: keys sorted, no spaces."""
    return digest(json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str))


def is_unicode(text: str) -> bool:
    r"""Return whether a text can be stored as UTF-8. Names and arguments that are not UTF-8 contain lone surrogates.

    >>> is_unicode("caf\u00e9"), is_unicode("caf\udce9")
    (True, False)
    """
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)


def percent_encode_bytes(name: str) -> str:
    r"""Return a name that is not UTF-8 with its odd bytes written as in addresses, so that two such names stay two.

    >>> percent_encode_bytes("caf\udce9.txt")
    'caf%E9.txt'
    """
    return "".join(character if is_unicode(character) else f"%{ord(character) - 0xDC00:02X}" for character in name)


def normal_path(path: str) -> str:
    """Return a path, relative to its source, in the form that ids are made from: NFC, `/` between parts."""
    return unicodedata.normalize("NFC", path.replace("\\", "/"))


def document_id(source_name: str, path: str) -> str:
    """Return the id of the document at `path`, relative to the source called `source_name`."""
    return digest("document", source_name, normal_path(path))


def element_id(document: str, page_number: int, position: int) -> str:
    """Return the id of the element at 0-based `position` in the document's reading order, on page `page_number`."""
    return digest("element", document, page_number, position)


def chunk_id(document: str, recipe: str, start: int, end: int, text: str) -> str:
    """Return the id of the chunk that `recipe` cut from `document` at the half-open code points [start, end)."""
    return digest("chunk", document, recipe, start, end, text)
