"""Blocks of reStructuredText: whole lines, one after the other, each with the kind of element that they become.

Broken markup is a paragraph. Every step looks at lines once, so that the time is proportional to the text's length.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tasks.parse.text.rst.directives import Explicit, explicit_markup
from tasks.parse.text.rst.headings import HeadingStyles, heading_rows, is_transition
from tasks.parse.text.rst.lines import body_end, indent_of, next_full, run_end
from tasks.parse.text.rst.table_directives import directive_html
from tasks.parse.text.rst.tables import drawn_table

FIELD = re.compile(r":(?![: ])((?:[^:\\]|\\.|:(?![ `]|\Z))+)(?<! ):(?: +|\Z)")
_BULLET = re.compile("[-+*\u2022\u2023\u2043](?: +|\\Z)")
_ENUMERATOR = re.compile(r"\(?(?:#|\d{1,9}|[A-Za-z]|[ivxlcdm]{1,9}|[IVXLCDM]{1,9})[.)](?: +|\Z)")
_DOCTEST = re.compile(r">>>(?: |\Z)")
_QUOTED = re.compile(r"[!-/:-@\[-`{-~]")
FIELDS = "fields"


class RstBlock(NamedTuple):
    """Lines from `first` to before `after`. FIELDS is a field list before all content: what the document says of itself."""

    first: int
    after: int
    kind: str
    level: int | None = None
    html: str | None = None


def rst_blocks(lines: Sequence[str]) -> Iterator[RstBlock]:
    """Yield the blocks of a document, in order. They cover all lines that are not blank. `lines` are those of `rst_lines`."""
    reader = _BlockReader(lines)
    at = next_full(lines, 0)
    while at < len(lines):
        block = reader.block(at)
        yield block
        at = next_full(lines, block.after)


class _BlockReader:
    """What the blocks before say of the next: styles of headings, open lists, a listing or caption to come."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._styles = HeadingStyles()
        self._items: list[int] = []
        self._listing: int | None = None
        self._caption: int | None = None
        self._at_top = True

    def block(self, at: int) -> RstBlock:
        """Return the block that begins at line `at`, which is not blank."""
        indent = indent_of(self._lines[at])
        listing, self._listing = self._listing, None
        if listing is not None and (after := self._listing_end(at, listing)):
            return RstBlock(at, after, "code")
        while self._items and self._items[-1] > indent:
            self._items.pop()
        found = (
            self._explicit(at, indent)
            or self._table(at)
            or self._item(at, indent)
            or (None if indent else self._heading(at))
            or self._run(at, indent)
        )
        self._at_top = self._at_top and found.kind in ("heading", "furniture")
        return found

    def _listing_end(self, at: int, base: int) -> int:
        """Return the end of a listing: what is indented by more than `base`, or a run of lines that begin with one character."""
        if indent_of(self._lines[at]) > base:
            return body_end(self._lines, at, base)
        mark = self._lines[at][base : base + 1]
        if indent_of(self._lines[at]) != base or not _QUOTED.match(mark):
            return 0
        end = run_end(self._lines, at, base)
        return next((n for n in range(at, end) if self._lines[n][base : base + 1] != mark), end)

    def _explicit(self, at: int, indent: int) -> RstBlock | None:
        found = explicit_markup(self._lines[at][indent:])
        if found is None:
            return None
        self._caption = None
        if self._lines[at].strip() == ".." and not any(self._lines[at + 1 : at + 2]):
            return RstBlock(at, at + 1, "furniture")
        after = body_end(self._lines, at, indent)
        if found.kind == "table":
            html = directive_html(found.name, self._lines[at:after])
            return RstBlock(at, after, "table" if html else "furniture", html=html)
        return RstBlock(at, after, found.kind) if found.whole else self._opening(at, indent, found)

    def _opening(self, at: int, indent: int, found: Explicit) -> RstBlock:
        """Return the first lines of a directive whose content is read as what it is: its argument, its options, or its text."""
        after = run_end(self._lines, at, indent + 1)
        if found.kind == "figure":
            self._caption = indent
        bare = found.bare and after == at + 1
        if not bare and self._lines[after - 1].endswith("::"):
            self._listing = max(indent_of(self._lines[after - 1]), indent + 1)
        return RstBlock(at, after, "furniture" if bare else found.kind)

    def _table(self, at: int) -> RstBlock | None:
        found = drawn_table(self._lines, at)
        return RstBlock(at, found.after, "table", html=found.html) if found else None

    def _item(self, at: int, indent: int) -> RstBlock | None:
        marker = _BULLET.match(self._lines[at], indent) or self._enumerator(at, indent)
        if not marker:
            return None
        inside = marker.end() if self._lines[at][marker.end() :] else indent + 2
        self._items.append(inside)
        after = run_end(self._lines, at, indent + 1)
        return self._prose(RstBlock(at, after, "list_item", len(self._items)), inside)

    def _is_bullet(self, at: int) -> bool:
        return bool(_BULLET.match(self._lines[at], indent_of(self._lines[at])))

    def _enumerator(self, at: int, indent: int) -> re.Match[str] | None:
        """A number begins an item only if the next line is blank, indented, or an item as well: prose may begin with `A.`."""
        following = self._lines[at + 1] if at + 1 < len(self._lines) else ""
        goes_on = not following or indent_of(following) > indent or _ENUMERATOR.match(following, indent)
        return _ENUMERATOR.match(self._lines[at], indent) if goes_on else None

    def _heading(self, at: int) -> RstBlock | None:
        if n_rows := heading_rows(self._lines, at):
            level = self._styles.level(self._lines[at + n_rows - 1], n_rows == 3)
            return RstBlock(at, at + n_rows, "heading", level)
        return RstBlock(at, at + 1, "furniture") if is_transition(self._lines, at) else None

    def _run(self, at: int, indent: int) -> RstBlock:
        """Return lines up to a blank one, to one that is less indented, or to the list that a term or field begins with."""
        after = run_end(self._lines, at, indent)
        lists = (n for n in range(at + 1, after) if indent_of(self._lines[n]) > indent and self._is_bullet(n))
        after = next(lists, after)
        if _DOCTEST.match(self._lines[at], indent):
            return RstBlock(at, after, "code")
        if self._at_top and FIELD.match(self._lines[at]):
            return RstBlock(at, after, FIELDS)
        captioned = self._caption is not None and indent > self._caption
        self._caption = None
        return self._prose(RstBlock(at, after, "caption" if captioned else "paragraph"), indent_of(self._lines[after - 1]))

    def _prose(self, block: RstBlock, base: int) -> RstBlock:
        """Return a block of prose; if it ends with `::`, a listing follows, which takes a line of nothing else with it."""
        if not self._lines[block.after - 1].endswith("::"):
            return block
        following = next_full(self._lines, block.after)
        if self._lines[block.first].strip() == "::":
            after = self._listing_end(following, base) if following < len(self._lines) else 0
            return block._replace(kind="code" if after else "furniture", after=after or block.after)
        self._listing = base
        return block
