"""Output: JSON for programs, short tables and lines for people."""

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
Corpus = Annotated[str, typer.Option("--corpus", envvar="PAGEMILL_CORPUS", help="Folder of the corpus.")]


def say(line: str) -> None:
    """Print one line for people."""
    sys.stdout.write(line + "\n")


def say_row(row: Mapping[str, Any]) -> None:
    """Print a row as one line of JSON, at once: who reads it need not wait for the next one."""
    sys.stdout.write(json.dumps(row, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def warn(line: str) -> None:
    """Tell people one line beside the output."""
    sys.stderr.write(f"pagemill: {line}\n")


def say_json(value: Any) -> None:
    """Print a value as JSON."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2, default=str) + "\n")


def say_table(rows: Sequence[Mapping[str, Any]], columns: Sequence[str], empty: str) -> None:
    """Print rows as a table that fits the terminal, or the line `empty` if there are none."""
    if not rows:
        say(empty)
        return
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*(_cell(row.get(column)) for column in columns))
    Console(width=None if sys.stdout.isatty() else 160, markup=False).print(table)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (dict, list)) else str(value)
