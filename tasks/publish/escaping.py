"""Escaping: names and messages in Markdown, where they must be shown and never act: no link, picture, HTML or new row."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from schemas.shown import plain, shortened

LONGEST = 300
"""Characters of a name or message; what is longer loses its middle."""

MEANINGFUL = re.compile(r"([\\`*_\[\]<>&|~#$])")
BLOCK_START = re.compile(r"^(\d{1,9}(?=[.)](?:\s|$))|(?=[-+=:](?!\d)))")
"""What a backslash must follow at the beginning of a line, where it would make a list or underline a heading: no plain number."""

ADDRESS = re.compile(r"(?i)(://|www(?=\.)|@)")
WORD_JOINER = "\u2060"
"""Invisible, and no part of an address: viewers make links of bare addresses, also of escaped ones."""


class Markup(str):
    """Markdown of our own, which must act: a picture or a link that comes from no name."""

    __slots__ = ()


def escaped(text: object, most: int = LONGEST) -> str:
    r"""Return a text as Markdown that shows just it, on one line; `Markup` is returned as it is.

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
    """Return a Markdown table whose cells are escaped; numbers stand as they are."""
    lines = [[escaped(cell) for cell in line] for line in (head, *rows)]
    ruled = [lines[0], ["---"] * len(head), *lines[1:]]
    return "\n".join("| " + " | ".join(line) + " |" for line in ruled)


def bullets(lines: Iterable[object]) -> str:
    """Return a Markdown list, one line each, escaped."""
    return "\n".join(f"- {escaped(line)}" for line in lines)


def sheet(title: str, rows: Sequence[Mapping[str, Any]]) -> str:
    """Return rows, which share their keys, as a table under a title, escaped.

    Not as an artifact of type table: one version of the Prefect UI shows its cells as Markdown, another as plain text; what is
    escaped for the one would be spoilt for the other.
    """
    listed = [table(list(rows[0]), [list(row.values()) for row in rows])] if rows else ["None."]
    return "\n\n".join([f"# {escaped(title)}", *listed])
