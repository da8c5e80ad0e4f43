"""Code and YAML: the text as it is, with each definition or key of the top level as a section, cited by its lines."""

import re
from collections.abc import Iterator
from itertools import pairwise

from schemas.records import NO_PROPERTIES, Element, ParsedDocument
from tasks.parse.elements.places import write_lines_place
from tasks.parse.text.plain import decode, line_starts, placed, text_row, trimmed

_DEFINITION = re.compile(
    r"(?:(?:export|default|public|private|protected|internal|static|abstract|final|async|pub(?:\(\w+\))?|inline|virtual|override|open"
    r"|sealed|partial|unsafe|extern|const|let|var)\s+)*"
    r"(?:(?:def|class|function\*?|fn|func|fun|interface|struct|enum|trait|impl|module|namespace|type|sub|proc|procedure|object|record"
    r"|protocol|extension|macro_rules!|package|CREATE\s+\w+)\b[^\n]*"
    r"|(?:const|let|var)\s+\w+\s*=\s*(?:async\s*)?(?:\([^\n]*\)|\w+)\s*=>[^\n]*"
    r"|[A-Za-z_][\w<>:,*&\[\] ]*\s[*&]*[\w:~]+\s*\([^;\n]*\)[^;\n]*\{[^\n]*)",
    re.IGNORECASE,
)
"""A line of the top level that begins a definition, in many languages."""
_KEY = re.compile(r"[\w.\"'/-][^:#\n]*:(?:\s|$)")
_ABOVE = re.compile(r"(?:@|#|//|/\*|\*|--|\"\"\")")
"""How lines begin that stand above what they belong to: decorators and comments."""
SHOWN = 200


def parse_code(data: bytes) -> ParsedDocument:
    """Return a row of `schemas.staged.PARSED` for a file of code. Raises as `tasks.parse.text.plain.decode` does."""
    return _parse(data, _DEFINITION)


def parse_yaml(data: bytes) -> ParsedDocument:
    """Return a row of `schemas.staged.PARSED` for YAML, its comments included. Raises as `tasks.parse.text.plain.decode` does."""
    return _parse(data, _KEY)


def _parse(data: bytes, begins: re.Pattern[str]) -> ParsedDocument:
    text, _, notes = decode(data)
    starts = line_starts(text)
    elements = list(_elements(text, starts, begins))
    return {**text_row(text, elements, NO_PROPERTIES), "rejects": list(notes)}


def _elements(text: str, starts: list[int], begins: re.Pattern[str]) -> Iterator[Element]:
    """Yield what is before the first definition; of each one what is above it, its line as a heading, and the rest."""
    heads = [n for n, start in enumerate(starts[:-1]) if begins.match(text, start)]
    firsts = [_first_above(text, starts, n, after) for after, n in pairwise([-1, *heads])]
    bounds = [0, *firsts, len(starts) - 1]
    yield from _code(text, starts, 0, bounds[1])
    for n, (first, after) in zip(heads, pairwise(bounds[1:]), strict=True):
        yield from _code(text, starts, first, n)
        start, end = trimmed(text, starts[n], min(starts[n + 1], starts[n] + SHOWN))
        yield {**placed(text, "heading", (start, end), 1), "place": write_lines_place(n + 1, n + 1)}
        yield from _code(text, starts, n, after, end)


def _first_above(text: str, starts: list[int], n: int, after: int) -> int:
    """Return the first of the decorators and comments directly above line n, or n."""
    while n - 1 > after and _ABOVE.match(text, starts[n - 1]):
        n -= 1
    return n


def _code(text: str, starts: list[int], first: int, after: int, begin: int = -1) -> Iterator[Element]:
    """Yield the lines from `first` to before `after` as a listing, those before the offset `begin` left out."""
    start, end = max(starts[first], begin), max(starts[after], begin)
    inner = text[start:end]
    if inner.strip():
        stop = start + len(inner.rstrip())
        skipped = len(inner) - len(inner.lstrip("\r\n"))
        last = first + text.count("\n", starts[first], stop) + 1
        lines = first + 1 + text.count("\n", starts[first], start + skipped), max(last, first + 1)
        yield {**placed(text, "code", (start + skipped, stop)), "place": write_lines_place(*lines)}
