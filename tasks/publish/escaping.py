"""Escaping: names and messages in Markdown are shown as text, so they make no link, picture, HTML or table row."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from schemas.shown import plain, shortened

LONGEST = 300
"""Most characters of a name or message. A longer one loses its middle."""

MEANINGFUL = re.compile(r"([\\`*_\[\]<>&|~#$])")
BLOCK_START = re.compile(r"^(\d{1,9}(?=[.)](?:\s|$))|(?=[-+=:](?!\d)))")
"""Characters at the start of a line that make a list or underline a heading, and need a backslash. A plain number does not."""

ADDRESS = re.compile(r"(?i)(://|www(?=\.)|@)")
WORD_JOINER = "\u2060"
"""An invisible character that breaks an address: viewers make links of plain addresses, even of escaped ones."""


class Markup(str):
    """Markdown from Pagemill itself that must work as Markdown, such as a picture or a link. It contains no names."""

    __slots__ = ()


def escaped(text: object, most: int = LONGEST) -> str:
    r"""Return Markdown that shows exactly `text`, on one line. `Markup` is returned unchanged.

    >>> escaped("[open me](javascript:alert(1)).pdf")
    '\\[open me\\](javascript:alert(1)).pdf'
    >>> escaped("a|b`c\n"), escaped(Markup("[run](http://127.0.0.1:4200)"))
    ('a\\|b\\`c\\\\n', '[run](http://127.0.0.1:4200)')
    """
    if isinstance(text, Markup):
        return str(text)
    shown = MEANINGFUL.sub(r"\\\1", shortened(plain(str(text)).strip(), most))
    return ADDRESS.sub(rf"\1{WORD_JOINER}", BLOCK_START.sub(r"\1\\", shown))


def table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return a Markdown table with escaped cells. Numbers are not changed."""
    lines = [[escaped(cell) for cell in line] for line in (head, *rows)]
    ruled = [lines[0], ["---"] * len(head), *lines[1:]]
    return "\n".join("| " + " | ".join(line) + " |" for line in ruled)


def bullets(lines: Iterable[object]) -> str:
    """Return a Markdown list with one escaped line for each of `lines`."""
    return "\n".join(f"- {escaped(line)}" for line in lines)


def sheet(title: str, rows: Sequence[Mapping[str, Any]]) -> str:
    """Return rows with the same keys as an escaped Markdown table under a title.

    An artifact of type table does not fit: some versions of the Prefect UI show its cells as Markdown, others as plain text.
    No escaping is right for both.
    """
    listed = [table(list(rows[0]), [list(row.values()) for row in rows])] if rows else ["None."]
    return "\n\n".join([f"# {escaped(title)}", *listed])
