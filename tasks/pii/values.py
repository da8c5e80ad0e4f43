"""Values: the personal data of one document, found again wherever it stands, and replaced; offsets are carried over."""

import hmac
import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from tasks.pii.recognisers import Match

DIGEST_LENGTH = 32
"""Hex digits of a keyed hash: 128 bits."""
COMPARED_BY_DIGITS = ("card", "iban", "phone")
"""Kinds whose values are compared without what stands between letters and digits; of other kinds, without white space."""
_WORD, _JOINED = re.compile(r"\w+"), re.compile(r"\w\w")


def make_digest(key: bytes, kind: str, value: str) -> str:
    """Return the keyed hash of a value. However a number is grouped, it has the same one.

    >>> make_digest(b"k", "iban", "GB29 NWBK") == make_digest(b"k", "iban", "gb29nwbk")
    True
    """
    grouped = kind in COMPARED_BY_DIGITS or kind.startswith("id_")
    plain = "".join(char for char in value.casefold() if (char.isalnum() if grouped else not char.isspace()))
    return hmac.new(key, f"{kind}\0{plain}".encode(), "sha256").hexdigest()[:DIGEST_LENGTH]


class Values:
    """Values with their kinds. Each is looked up by its rarest word, so that a text is read once for however many values."""

    def __init__(self, kinds: Mapping[str, str]) -> None:
        """`kinds` has the kind of each value."""
        self.kinds = kinds
        words = {value: [*_WORD.finditer(value)] for value in kinds}
        times = Counter(word[0] for found in words.values() for word in found)
        self._by_word: dict[str, list[tuple[int, str]]] = defaultdict(list)
        for value, found in words.items():
            rarest = min(found, key=lambda word: times[word[0]])
            self._by_word[rarest[0]].append((rarest.start(), value))

    def find(self, text: str) -> list[Match]:
        """Return where values stand in a text, not within longer words, in order and apart: the longest at each place."""
        found: list[tuple[int, int, str]] = []
        for word in _WORD.finditer(text) if self._by_word else ():
            for offset, value in self._by_word.get(word[0], ()):
                start, end = word.start() - offset, word.start() - offset + len(value)
                if start >= 0 and text.startswith(value, start) and not _is_inside_word(text, start, end):
                    found.append((start, -end, value))
        found.sort()
        reached = accumulate((-end for _, end, _ in found), max, initial=0)
        return [
            Match(start, -end, self.kinds[value])
            for (start, end, value), before in zip(found, reached, strict=False)
            if start >= before
        ]


def _is_inside_word(text: str, start: int, end: int) -> bool:
    """Return whether a span begins or ends in the middle of a word."""
    return any(0 < at < len(text) and bool(_JOINED.match(text, at - 1)) for at in (start, end))


def name_placeholder(kind: str) -> str:
    """Return what stands for a value of a kind.

    >>> name_placeholder("birth_date")
    '[BIRTH-DATE]'
    """
    return f"[{kind.upper().replace('_', '-')}]"


class Redacted(NamedTuple):
    """A text whose values are replaced: where they stood, and how far what follows each of the first n has moved."""

    text: str
    matches: Sequence[Match]
    shifts: Sequence[int]

    def move(self, offset: int) -> int:
        """Return where an offset of the text before is in this one; one within a value is moved behind its placeholder."""
        n_before = bisect_left(self.matches, offset, key=lambda match: match.start)
        inside = n_before and self.matches[n_before - 1].end > offset
        return (self.matches[n_before - 1].end if inside else offset) + self.shifts[n_before]


def redact(text: str, matches: Sequence[Match]) -> Redacted:
    """Return `text` with a placeholder in the place of each match; these are in order and apart.

    >>> redact("to ada@example.org!", [Match(3, 18, "email")]).text
    'to [EMAIL]!'
    """
    parts, reached = list[str](), 0
    for match in matches:
        parts += [text[reached : match.start], name_placeholder(match.kind)]
        reached = match.end
    moved = (len(name_placeholder(match.kind)) - (match.end - match.start) for match in matches)
    return Redacted("".join([*parts, text[reached:]]), matches, [*accumulate(moved, initial=0)])
