"""Commands that work on single documents, without a corpus."""

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from flows.commands.output import Json, say, say_json
from schemas.errors import DocumentError, InputError
from schemas.options import RefreshOptions

FORMATS = {"md": ".md", "jsonl": ".jsonl", "arrow": ".arrow"}


def register(application: typer.Typer) -> None:
    """Add the commands."""
    application.command()(parse)
    application.command()(chunk)


def parse(
    paths: Annotated[list[Path], typer.Argument(help="Documents, or folders of documents.")],
    out: Annotated[Path, typer.Option("--out", help="Folder for the results, one <stem> for each document.")],
    form: Annotated[str, typer.Option("--format", help="md, jsonl (one element a line) or arrow.")] = "md",
    furniture: Annotated[str, typer.Option(help="keep or drop running headers, footers and page numbers.")] = "drop",
    as_json: Json = False,
) -> None:
    """Turn documents into Markdown, or into their layout elements. A document that cannot be read is named; the others go on."""
    from tasks.convert import convert_all

    if form not in FORMATS or furniture not in ("keep", "drop"):
        raise InputError(f"--format {form} --furniture {furniture}: choose md, jsonl or arrow, and keep or drop")
    outcomes = convert_all(paths, out, form, furniture == "keep", _options())
    if as_json:
        say_json(outcomes)
    for outcome in () if as_json else outcomes:
        say(f"{outcome['path']}: {outcome['output'] or outcome['error']}")
    if any(outcome["error"] for outcome in outcomes):
        raise DocumentError(f"{sum(bool(outcome['error']) for outcome in outcomes)} of {len(outcomes)} documents failed")


def chunk(
    file: Annotated[Path, typer.Argument(help="A document.")],
    strategy: Annotated[str, typer.Option("--strategy", help="sentence: whole sentences packed up to the size.")] = "sentence",
    size: Annotated[int | None, typer.Option("--size", help="Longest chunk, in the embedder's tokens.")] = None,
    as_json: Json = False,
) -> None:
    """Cut one document; print a JSON line for each chunk: start, end, n_tokens, text."""
    from tasks.convert import chunk_file

    given = {"strategy": strategy, **({"size_tokens": size} if size is not None else {})}
    rows = chunk_file(file, _options({"chunk": given}))
    if as_json:
        say_json(rows)
        return
    for row in rows:
        sys.stdout.write(json.dumps(row, ensure_ascii=False) + "\n")


def _options(given: dict[str, Any] | None = None) -> RefreshOptions:
    from flows.settings import refresh_options

    return refresh_options(given or {})
