"""Invalid bytes: texts in UTF-8 with some that are not, and texts in windows-1252."""

import re
from typing import NamedTuple

from schemas.records import Reason
from tasks.parse.rejections import entry

MAX_FOREIGN = 0.15
"""Largest share of bytes outside ASCII in a text that may be Western European. Other scripts have more."""
UNDEFINED = frozenset((0x81, 0x8D, 0x8F, 0x90, 0x9D))
CONTROLS = frozenset(range(32)) - frozenset(b"\t\n\r\f\x1a")
WESTERN = [bytes([b]).decode("cp1252", "replace") for b in range(256)]
_CAPITAL_INSIDE = re.compile("[a-z][ŠŽŸ]")
LAST_LATIN = 0x24F
LOST = "\N{REPLACEMENT CHARACTER}"
_LEADING = range(0xC2, 0xF5)
_NOT_LEADING = bytes(range(0xC0))
_RUNS = re.compile(
    rb"(?P<valid>(?:[\x00-\x7f]|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}"
    rb"|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2})+)"
    rb"|(?P<torn>[\xe0-\xf4][\x80-\xbf]{1,2})|(?P<stray>[\x80-\xff])"
)
"""Valid UTF-8, the beginning of a sequence that does not end, and any other byte."""


class Repaired(NamedTuple):
    """A text in UTF-8 with invalid bytes: what it reads as, how many letters outside ASCII are valid, and how many bytes are not.

    Of the invalid ones, `n_lost` became U+FFFD; the others were read as windows-1252. `first` is the place of the first one.
    """

    text: str
    n_valid: int
    n_bad: int
    n_lost: int
    first: int

    @property
    def is_utf8(self) -> bool:
        """Whether at least half of what is outside ASCII is valid, which hardly happens in any other charset."""
        return self.n_valid >= self.n_bad

    def note(self, what: str) -> Reason:
        """Return the entry for `rejects` that says how many bytes of `what`, a page or text, are invalid."""
        parts = [(self.n_bad - self.n_lost, "read as windows-1252"), (self.n_lost, "replaced by U+FFFD")]
        read = ", ".join(f"{n} {how}" for n, how in parts if n)
        message = f"bytes of the {what} that are not valid UTF-8: {self.n_bad}, the first at byte {self.first}: {read}"
        return entry("parse", "CharsetError", message, "check these places, or save it as UTF-8", 1)


def repair(data: bytes) -> Repaired:
    """Return bytes as UTF-8; only what is invalid in it is read otherwise.

    A single invalid byte among Latin letters, digits and signs is read as windows-1252, as pasted quotes, dashes and accents
    are. Torn sequences of UTF-8 and bytes among letters of other scripts become U+FFFD.

    >>> repair("Größe: 5 ".encode() + bytes([0x80])).text, repair("Größ".encode()[:-1]).text == "Grö" + LOST
    ('Größe: 5 €', True)
    """
    n_valid, n_bad, n_lost, first = 0, 0, 0, -1
    parts: list[str] = []
    for run in _RUNS.finditer(data):
        if run.lastgroup == "valid":
            n_valid += len(run[0].translate(None, _NOT_LEADING))
            parts.append(run[0].decode())
            continue
        letter = _stray(data, run.start(), parts[-1][-1:] if parts else "") if run.lastgroup == "stray" else LOST
        first = run.start() if first < 0 else first
        n_bad += len(run[0])
        n_lost += len(run[0]) if letter == LOST else 0
        parts.append(letter)
    return Repaired("".join(parts), n_valid, n_bad, n_lost, first)


def _stray(data: bytes, at: int, before: str) -> str:
    """Return a single invalid byte as windows-1252 if Latin letters, digits or signs stand beside it, else U+FFFD."""
    byte = data[at]
    torn = byte in _LEADING and at + 1 == len(data)
    after = data[at + 1 : at + 5].decode("utf-8", "ignore")[:1]
    if torn or byte in UNDEFINED or byte >= 0xFE or any(near.isalpha() and ord(near) > LAST_LATIN for near in (before, after)):
        return LOST
    return WESTERN[byte]


def western(data: bytes) -> str | None:
    """Return plain text as windows-1252, what in it is valid UTF-8 as that; None if it does not look like Western European prose.

    Any bytes decode as windows-1252. It is likely if nearly all are ASCII, none is undefined or a control character, and no
    capital letter that Western words hardly have stands in the middle of one, as where Mac OS Roman has ü.

    >>> western("Das Gebäude: 5 €".encode("cp1252")), western("Здание".encode("cp1251"))
    ('Das Gebäude: 5 €', None)
    >>> western("Das Gebäude".encode("mac-roman"))
    """
    runs = [(run.lastgroup == "valid", run[0]) for run in _RUNS.finditer(data)]
    foreign = b"".join(run for is_valid, run in runs if not is_valid)
    if set(foreign) & UNDEFINED or set(data) & CONTROLS or len(foreign) > MAX_FOREIGN * len(data):
        return None
    text = "".join(run.decode() if is_valid else run.decode("cp1252") for is_valid, run in runs)
    return None if _CAPITAL_INSIDE.search(text) else text
