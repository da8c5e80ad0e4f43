"""Pieces of Markdown."""

from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    r"""Return a table.

    >>> print(table(["name", "meaning"], [["a|b", "either"]]))
    | name | meaning |
    |---|---|
    | a\|b | either |
    """
    return "\n".join([_row(head), "|" + "---|" * len(head), *map(_row, rows)])


def code(text: str) -> str:
    """Return text as code within a line; nothing for a blank text.

    >>> code("size"), code("")
    ('`size`', '')
    """
    return f"`{text}`" if text else ""


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(" ".join(cell.split()).replace("|", "\\|") for cell in cells) + " |"
