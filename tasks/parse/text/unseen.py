"""What of a Markdown text no reader sees: comments, scripts, styles, and files embedded as data. Listings show them all."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from markdown_it.token import Token

from schemas.records import Reason
from tasks.parse.rejections import entry
from tasks.parse.text.plain import line_starts

_TRIGGER = re.compile(r"<!--|<(?:script|style)|data:|\[(?://|comment|#)?\]:", re.IGNORECASE)
_LEAVES = ("paragraph_open", "heading_open", "table_open", "html_block")
_LISTINGS = ("fence", "code_block", "math_block")
_DATA = r"data:(?:[\w.+-]+/[\w.+*-]+)?(?:;[\w.+=\"-]+)*,"
_EMBEDDED = (
    rf"(?<=\]\()\s*<?{_DATA}[^\s)>]*>?|(?<=url\(){_DATA}[^)]*"
    rf"|(?<==\"){_DATA}[^\"]*(?=\")|(?<=='){_DATA}[^']*(?=')|(?<=src=){_DATA}[^\s>]*"
    rf"|{_DATA.removesuffix(',')};base64,[A-Za-z0-9+/=_%-]*"
)
_IN_HTML = re.compile(rf"(?P<opens><!--|<(?:script|style)\b)|{_EMBEDDED}", re.IGNORECASE)
_IN_PROSE = re.compile(rf"(?P<escaped>\\.)|(?P<ticks>`+)|{_IN_HTML.pattern}", re.IGNORECASE | re.DOTALL)
_ENDS = {"<!--": re.compile("-->"), **{f"<{tag}": re.compile(rf"</{tag}\s*>", re.IGNORECASE) for tag in ("script", "style")}}
_DEFINITION = re.compile(
    rf"^[ \t>]{{0,6}}\[(?:(?://|comment|\#)?\]:[ \t]*(?:\#|<>)[ \t]+(?:\(.*?\)|\".*?\"|'.*?')|[^\]\r\n]+\]:[ \t]*<?{_DATA}\S*.*?)"
    r"[ \t]*(?=\r|\n|\Z)",
    re.IGNORECASE | re.MULTILINE,
)
"""The definition of a link that is used as a comment, or that embeds a file."""


class Seen(NamedTuple):
    """The text without what no reader sees, and an entry for `rejects` if pictures were in it."""

    text: str
    rejects: list[Reason]


def may_hide(text: str) -> bool:
    """Return whether a Markdown text may have anything that no reader sees."""
    return _TRIGGER.search(text) is not None


def without_unseen(text: str, tokens: Iterable[Token]) -> Seen:
    """Return a Markdown text as its readers see it; `tokens` are its blocks."""
    parts = []
    n_pictures = done = 0
    for start, end in _unseen(text, tokens):
        n_pictures += len(re.findall(r"data:image/", text[start:end][:40], re.IGNORECASE))
        parts.append(text[done:start])
        done = end
    rejects = [_note(n_pictures)] if n_pictures else []
    return Seen("".join([*parts, text[done:]]), rejects)


def _note(n_pictures: int) -> Reason:
    message = f"pictures embedded in the text as data: {n_pictures}; they were left out, their alternative text is kept"
    return entry(
        "parse", "FigureError", message, "say in the text what they show, or save it as HTML, whose pictures are read", 1
    )


def _unseen(text: str, tokens: Iterable[Token]) -> Iterator[tuple[int, int]]:
    """Yield the spans that no reader sees, in order: in each block by itself, so that none ends in another one."""
    starts = line_starts(text)
    last = len(starts) - 1
    done = 0
    for token in tokens:
        if token.map is None or token.type not in (*_LEAVES, *_LISTINGS):
            continue
        first, after = (min(line, last) for line in token.map)
        yield from (found.span() for found in _DEFINITION.finditer(text, starts[done], starts[max(first, done)]))
        if token.type in _LEAVES:
            yield from _spans(
                _IN_HTML if token.type == "html_block" else _IN_PROSE, text, starts[max(first, done)], starts[after]
            )
        done = max(done, after)
    yield from (found.span() for found in _DEFINITION.finditer(text, starts[done]))


def _spans(starts: re.Pattern[str], text: str, at: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield what no reader sees of a block. What does not end is text, and its end is looked for once."""
    endless: set[str] = set()
    while found := starts.search(text, at, end):
        named = found.groupdict()
        opening = (named.get("ticks") or named["opens"] or "").lower()
        at = found.end()
        if not opening:
            if not named.get("escaped"):
                yield found.span()
            continue
        closing = _ENDS[opening] if opening in _ENDS else re.compile(rf"(?<!`){opening}(?!`)")
        last = None if opening in endless else closing.search(text, at, end)
        if last is None:
            endless.add(opening)
            continue
        at = last.end()
        if named["opens"]:
            yield found.start(), at
