"""Output: JSON for programs, short tables and lines for people. Nothing in it does anything to a terminal."""

import io
import json
import os
import re
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, TextIO

import typer
from typing_extensions import Buffer

from schemas.access import Principal, parse_principal
from schemas.corpus import Corpus, is_in_store
from schemas.errors import InputError
from schemas.ids import is_unicode
from schemas.shown import plain
from tasks.store.objects.paths import resolve_place

FOLDED, GAP = 16, 3
"""Columns of a table: those that are wider are folded, to no less than this; characters between them."""

_ACTIVE = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""What JSON leaves as it is, and terminals obey: control characters above ASCII, and those that turn the direction of text."""


def _parse_corpus(given: str) -> Corpus:
    """Return the corpus, but refuse what is no place, and a blank one: that would mean the working folder."""
    if not given.strip() or not is_unicode(given):
        raise InputError(f"--corpus {given!r} is {'not UTF-8' if given.strip() else 'blank'}: name the folder of a corpus")
    if is_in_store(given):
        from flows.settings import configure_object_store

        configure_object_store(resolve_place(given))
    return Corpus(given)


Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
CorpusOption = Annotated[
    Corpus,
    typer.Option("--corpus", envvar="PAGEMILL_CORPUS", help="Folder of the corpus.", parser=_parse_corpus, metavar="TEXT"),
]


As = Annotated[
    Principal | None,
    typer.Option(
        "--as",
        envvar="PAGEMILL_AS",
        parser=parse_principal,
        metavar="WHO",
        help="Who asks, in a corpus that says who may read it: groups=finance,board; or owner, who may read all.",
    ),
]


class Outlet(io.FileIO):
    """Standard output. If its reader stops, as `head` does, the command ends without a message, like other tools."""

    def write(self, content: Buffer, /) -> int:
        """Write to standard output. After a failure, discard everything, because Python writes again when it exits.

        Raises:
            SystemExit: the reader has closed the pipe; the code is that of a command that ended by SIGPIPE.
            InputError: writing failed for another reason, such as a full disk.
        """
        try:
            return super().write(content)
        except OSError as error:
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.fileno())
            if isinstance(error, BrokenPipeError):
                raise SystemExit(128 + signal.SIGPIPE) from None
            raise InputError(f"cannot write to standard output: {error.strerror}: redirect it to another place") from error


def parse_metric_at_cutoff(given: str) -> tuple[str, int]:
    """Return the name and the cutoff of a metric.

    >>> parse_metric_at_cutoff("recall@5")
    ('recall', 5)

    Raises:
        InputError: it is something else.
    """
    name, _, cutoff = given.partition("@")
    if not name or not cutoff.isdecimal():
        raise InputError(f"--metric {given} is not a metric with a cutoff: write recall@5, for example")
    return name, int(cutoff)


def make_outlet(given: TextIO | None) -> TextIO:
    """Return an `Outlet` for text that replaces `given`. Characters outside its encoding are written as escapes.

    Raises:
        InputError: standard output is closed.
    """
    if given is None:
        raise InputError("standard output is closed: redirect it, for example to /dev/null")
    raw = io.BufferedWriter(Outlet(given.fileno(), "wb", closefd=False))
    return io.TextIOWrapper(raw, given.encoding, "backslashreplace", line_buffering=given.isatty())


def print_line(line: str) -> None:
    """Print one line for people, names of documents and texts of theirs in it as plain text."""
    sys.stdout.write(f"{plain(line)}\n")


def print_json_row(row: Mapping[str, object]) -> None:
    """Print a row as one line of JSON, without waiting for the next row."""
    sys.stdout.write(f"{format_json(row)}\n")
    sys.stdout.flush()


def print_warning(line: str) -> None:
    """Print one line for people on stderr."""
    sys.stderr.write(f"pagemill: {plain(line)}\n")


def print_json(value: object) -> None:
    """Print a value as JSON."""
    sys.stdout.write(f"{format_json(value, 2)}\n")


def format_json(value: object, indent: int | None = None, default: Callable[[Any], object] = str) -> str:
    r"""Return a value as JSON that a terminal may show; `default` gives what JSON has no form for.

    >>> format_json("mühle\u202e\x9b\x1b")
    '"mühle\\u202e\\u009b\\u001b"'
    """
    text = json.dumps(value, ensure_ascii=False, indent=indent, default=default)
    return text if text.isascii() and "\x7f" not in text else _ACTIVE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def print_rows(rows: Sequence[Mapping[str, object]], as_json: bool, columns: Sequence[str], empty: str) -> None:
    """Print rows, whole as JSON, or as `print_table` does."""
    print_json(rows) if as_json else print_table(rows, columns, empty)


def print_table(rows: Sequence[Mapping[str, object]], columns: Sequence[str] | None, empty: str) -> None:
    """Print rows as a table that fits the terminal, all columns if none are named, or the line `empty` if there are none.

    On a terminal that is too narrow for it, each row is a paragraph of lines `column value`.
    """
    if not rows:
        print_line(empty)
        return
    from rich import box
    from rich.cells import cell_len
    from rich.console import Console
    from rich.table import Table

    table, console = Table(box=box.SIMPLE_HEAD, pad_edge=False), Console(width=None if sys.stdout.isatty() else 160, markup=False)
    shown = columns or list(dict.fromkeys(name for row in rows for name in row))
    cells = [[_format_cell(row.get(column)) for column in shown] for row in rows]
    widths = [max(map(cell_len, column)) for column in zip(shown, *cells, strict=True)]
    if sum(max(cell_len(name), min(width, FOLDED)) + GAP for name, width in zip(shown, widths, strict=True)) > console.width:
        _print_paragraphs(cells, shown)
        return
    for column, width in zip(shown, widths, strict=True):
        table.add_column(column, overflow="fold", no_wrap=width <= FOLDED)
    for row in cells:
        table.add_row(*row)
    console.print(table)


def _print_paragraphs(cells: Sequence[Sequence[str]], columns: Sequence[str]) -> None:
    width = max(map(len, columns))
    for row in cells:
        print_line("")
        for column, cell in zip(columns, row, strict=True):
            print_line(f"{column:<{width}}  {cell}")


def _format_cell(value: object) -> str:
    if value is None:
        return ""
    return plain(json.dumps(value, ensure_ascii=False) if isinstance(value, (dict, list)) else str(value))
