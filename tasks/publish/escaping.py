"""Escaping: names and messages in Markdown are shown as text, so they make no link, picture, HTML or table row."""

import re
from collections.abc import Iterable, Mapping, Sequence

from schemas.shown import plain, shorten

LONGEST = 300
"""Most characters of a name or message. A longer one loses its middle."""

SYNTAX = re.compile(r"([\\`*_\[\]<>&|~#$])")
BLOCK_START = re.compile(r"^(\d{1,9}(?=[.)](?:\s|$))|(?=[-+=:](?!\d)))")
"""Characters at the start of a line that make a list or underline a heading, and need a backslash. A plain number does not."""

ADDRESS = re.compile(r"(?i)(://|www(?=\.)|@)")
WORD_JOINER = "\u2060"
"""An invisible character that breaks an address: viewers make links of plain addresses, even of escaped ones."""


class Markup(str):
    """Markdown from Pagemill itself that must work as Markdown, such as a picture or a link. It contains no names."""

    __slots__ = ()


def escape_markdown(text: object) -> str:
    r"""Return Markdown that shows exactly `text`, on one line. `Markup` is returned unchanged.

    >>> escape_markdown("[open me](javascript:alert(1)).pdf")
    '\\[open me\\](javascript:alert(1)).pdf'
    >>> escape_markdown("a|b`c\n"), escape_markdown(Markup("[run](http://127.0.0.1:4200)"))
    ('a\\|b\\`c\\\\n', '[run](http://127.0.0.1:4200)')
    """
    if isinstance(text, Markup):
        return str(text)
    shown = SYNTAX.sub(r"\\\1", shorten(plain(str(text)).strip(), LONGEST))
    return ADDRESS.sub(rf"\1{WORD_JOINER}", BLOCK_START.sub(r"\1\\", shown))


def format_markdown_table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table with escaped cells. Numbers are not changed."""
    lines = [[escape_markdown(cell) for cell in line] for line in (head, *rows)]
    ruled = [lines[0], ["---"] * len(head), *lines[1:]]
    return "\n".join("| " + " | ".join(line) + " |" for line in ruled)


def format_markdown_list(lines: Iterable[object]) -> str:
    """Return a Markdown list with one escaped line for each of `lines`."""
    return "\n".join(f"- {escape_markdown(line)}" for line in lines)


def format_titled_markdown_table(title: str, rows: Sequence[Mapping[str, object]]) -> str:
    """Return rows with the same keys as an escaped Markdown table under a title.

    An artifact of type table does not fit: some versions of the Prefect UI show its cells as Markdown, others as plain text.
    No escaping is right for both.
    """
    listed = [format_markdown_table(list(rows[0]), [list(row.values()) for row in rows])] if rows else ["None."]
    return "\n\n".join([f"# {escape_markdown(title)}", *listed])
