"""Table rows as sentences: each value with the name of its column, for embedders that forget a wide table's header."""

import re
from collections.abc import Sequence

_DELIMITER = re.compile(r"\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*\Z")


def write_row_sentences(lines: Sequence[str], min_columns: int) -> str:
    """Return the rows of a Markdown table as lines of `name: value; name: value`.

    The row above the delimiter row names the columns. Lines that are not rows stay as they are. Returns "" if there is no such
    header, or if it has fewer than `min_columns`.

    >>> write_row_sentences(["| a | b |", "| --- | --- |", "| 1 | 2 |"], 2)
    'a: 1; b: 2'
    """
    flat = [line for text in lines for line in text.split("\n")]
    at = next((i for i, line in enumerate(flat) if i and "|" in line and _DELIMITER.match(line)), None)
    names = _cells(flat[at - 1]) if at is not None else []
    if at is None or len(names) < max(min_columns, 1):
        return ""
    return "\n".join([*flat[: at - 1], *(_sentence(names, line) for line in flat[at + 1 :])])


def _sentence(names: Sequence[str], line: str) -> str:
    if not line.strip().startswith("|"):
        return line
    cells = _cells(line)
    padded = [*names, *[""] * (len(cells) - len(names))]
    return "; ".join(f"{name}: {cell}" if name else cell for name, cell in zip(padded, cells, strict=False) if cell)


def _cells(line: str) -> list[str]:
    r"""Split a row at its bars, except escaped ones.

    >>> _cells("| a\\|b | c |")
    ['a|b', 'c']
    """
    bare = line.strip().removeprefix("|")
    bare = bare[:-1] if bare.endswith("|") and not bare.endswith("\\|") else bare
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", bare)]
