"""The command that tells what changed between two generations."""

import base64
import sys
from collections import Counter
from typing import TYPE_CHECKING, Annotated

import typer

from flows.cli.output import As, CorpusOption, Json, format_json, print_rows
from schemas.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa

FORMATS = ("text", "jsonl", "arrow")


def add_changes_command(application: typer.Typer) -> None:
    """Add the command."""
    application.command()(changes)


def changes(
    corpus: CorpusOption,
    since: Annotated[int, typer.Option(min=0, help="Generation to begin with; 0: nothing, so that all rows are new.")],
    to: Annotated[int | None, typer.Option(min=1, help="Generation to end with; by default, the live one.")] = None,
    tables: Annotated[
        list[str] | None, typer.Option("--table", help="Table to look at, more than once; by default, all.")
    ] = None,
    rows: Annotated[bool, typer.Option("--rows", help="Print whole rows, not their keys alone.")] = False,
    form: Annotated[
        str, typer.Option("--format", help="text (counts), jsonl (one change a line) or arrow (a stream of one table).")
    ] = "text",
    asker: As = None,
    as_json: Json = False,
) -> None:
    """Tell which rows were removed, changed and added between two generations.

    A removal without any key but document_id is of all rows of a document that was purged.
    """
    from schemas.tables.generations import VERSIONED
    from tasks.deliver.io.changes import CHANGE, read_changes
    from tasks.store.access import check_owner
    from tasks.store.audit import record_at_once
    from tasks.store.published import read_live_generation

    names = tables or VERSIONED
    if form not in FORMATS:
        raise InputError(f"--format {form}: choose text, jsonl or arrow")
    if unknown := [name for name in names if name not in VERSIONED]:
        raise InputError(f"--table {unknown[0]}: no table of a generation; there are {', '.join(VERSIONED)}")
    if form == "arrow" and len(names) != 1:
        raise InputError("--format arrow is a stream of one table: name it by --table")
    if rows and form == "text":
        raise InputError("--rows needs a form that has them: --format jsonl or arrow")
    if as_json and form != "text":
        raise InputError(f"--json prints counts: leave it out, or --format {form}")
    live = read_live_generation(corpus)
    with record_at_once(corpus, live, asker, "changes"):
        check_owner(corpus, asker)
    found = read_changes(corpus, since, live.generation if to is None else to, rows, names).tables
    if form == "arrow":
        _write_stream(found[names[0]])
    elif form == "jsonl":
        _print_rows(found)
    else:
        counts = {
            name: Counter(change for part in reader for change in part[CHANGE].to_pylist()) for name, reader in found.items()
        }
        lines = [{"table": name, **count} for name, count in counts.items() if count]
        print_rows(lines, as_json, ["table", "removed", "changed", "added"], "nothing changed")


def _write_stream(reader: "pa.RecordBatchReader") -> None:
    import pyarrow as pa

    with pa.ipc.new_stream(sys.stdout.buffer, reader.schema) as writer:
        for batch in reader:
            writer.write_batch(batch)


def _print_rows(found: "dict[str, pa.RecordBatchReader]") -> None:
    for name, reader in found.items():
        for batch in reader:
            for row in batch.to_pylist():
                sys.stdout.write(f"{format_json({'_table': name, **row}, default=_make_json_value)}\n")


def _make_json_value(value: object) -> str:
    """Return bytes, such as a thumbnail, in base64, and dates in ISO 8601."""
    return base64.b64encode(value).decode() if isinstance(value, bytes) else str(value)
