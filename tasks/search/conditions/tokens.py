"""Tokens: the words, names, values and signs of a condition."""

import re
from typing import NamedTuple

TOKEN = re.compile(
    r"""\s*(?:(?P<text>'(?:[^']|'')*')|(?P<name>[^\W\d]\w*)|(?P<quoted>"[^"]+"|`[^`]+`)"""
    r"""|(?P<number>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<sign><=|>=|<>|!=|==|[=<>(),])|(?P<end>$)|(?P<other>.))""",
    re.DOTALL,
)
"""`other` is a character that no condition has, such as a quote that is not closed."""


class Token(NamedTuple):
    """A part of a condition: the group of TOKEN that it matches, how it is written, and where it begins, from 0."""

    kind: str
    written: str
    at: int

    def is_one(self, *words: str) -> bool:
        """Return whether it is one of some words, in lower case, or signs."""
        return self.kind in ("name", "sign") and self.written.lower() in words


def tokens_of(text: str) -> list[Token]:
    """Return the tokens of a condition; the last one is its end.

    >>> [token.written for token in tokens_of("path <> 'o''clock'")]
    ['path', '<>', "'o''clock'", '']
    """
    found, at = list[Token](), 0
    while not found or found[-1].kind != "end":
        match = TOKEN.match(text, at)
        if match is None or match.lastgroup is None:
            raise AssertionError("TOKEN matches at every place")
        found.append(Token(match.lastgroup, match[match.lastgroup], match.start(match.lastgroup)))
        at = match.end()
    return found
