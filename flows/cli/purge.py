"""`pagemill purge`: delete one document for good, from the corpus and from the Prefect server."""

import sys
from typing import TYPE_CHECKING, Annotated, Any
from uuid import uuid4

import typer

from flows.cli.output import CorpusOption, Json, say, say_json, say_table, warn
from flows.cli.server import reporting_to, server_url
from schemas.corpus import Corpus
from schemas.errors import InputError, UnknownDocument

if TYPE_CHECKING:
    from flows.forget import Traces

UNSEEN = "no Prefect server is running: if one has shown runs of this corpus, start it and purge again"
KEPT = "the logs and states of these runs also name the document; to delete them, delete each run: `prefect flow-run delete ID`"


def register(application: typer.Typer) -> None:
    """Add the command."""
    application.command()(purge)


def purge(
    document: Annotated[str, typer.Argument(help="Path of the document, relative to its source.")],
    corpus: CorpusOption,
    source_name: Annotated[str, typer.Option(help="Name of the source.")] = "main",
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before it is deleted.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print what would be deleted, and touch nothing.")] = False,
    as_json: Json = False,
) -> None:
    """Delete a document for good, from every generation, version and staged file. Remove it from the source first.

    Asks before it deletes. If a Prefect server is running, its traces of the document are deleted too.
    """
    from tasks.publish.io.purge import preview_purge_with_candidates

    url = server_url()
    if dry_run:
        doomed = preview_purge_with_candidates(corpus, source_name, document)
        found = find_server_traces(url, corpus, document)
        say_json({**doomed, "server": traces_as_json(found)}) if as_json else say_doomed(doomed, found)
        return
    if not yes:
        ask(document, preview_purge_with_candidates(corpus, source_name, document), corpus)
    outcome = purge_document(url, corpus, source_name, document)
    say_json(outcome) if as_json else say_purged(outcome)


def ask(document: str, doomed: dict[str, Any], corpus: Corpus) -> None:
    """Ask the user to confirm.

    Raises:
        InputError: there is no terminal to ask on.
    """
    beside = f" and from its candidates {', '.join(doomed['candidates'])}" if doomed["candidates"] else ""
    what = f"delete {document} from {len(doomed['generations'])} generations of {corpus}{beside} for good"
    if not (sys.stdin and sys.stdin.isatty()):
        raise InputError(f"please confirm: to {what}, give --yes; to see what would be deleted, give --dry-run")
    typer.confirm(f"{what[0].upper()}{what[1:]}?", abort=True, err=True)


def purge_document(url: str | None, corpus: Corpus, source_name: str, document: str) -> dict[str, Any]:
    """Purge the corpus, then the server. The document may be known to only one of them.

    Raises:
        UnknownDocument: neither knows the document.
    """
    from tasks.publish.io.purge import purge_corpus_and_candidates

    unknown: UnknownDocument | None = None
    outcome: dict[str, Any] = {"path": document, "generations": [], "generation": None, "candidates": []}
    try:
        outcome = purge_corpus_and_candidates(corpus, source_name, document, uuid4().hex)
    except UnknownDocument as error:
        unknown = error
    found = find_server_traces(url, corpus, document)
    if unknown and not any(found or ()):
        raise unknown
    if url and found:
        from flows.forget import forget

        with reporting_to(url):
            forget(found)
    return {**outcome, "server": traces_as_json(found)}


def find_server_traces(url: str | None, corpus: Corpus, document: str) -> "Traces | None":
    """Return what the server has of the document; None if there is no server."""
    if url is None:
        return None
    from flows.forget import find_traces

    with reporting_to(url):
        return find_traces(corpus.uri, document)


def traces_as_json(found: "Traces | None") -> dict[str, list[str]] | None:
    """Return the traces as JSON values."""
    return {name: [str(value) for value in values] for name, values in found._asdict().items()} if found else None


def say_doomed(doomed: dict[str, Any], found: "Traces | None") -> None:
    """Print what a purge would delete."""
    from schemas.tables.generations import VERSIONED

    say_table(
        doomed["generations"], ["generation", *VERSIONED], "no generation holds it: this completes a purge that was interrupted"
    )
    rows = ", ".join(f"{count} rows of {log}" for log, count in doomed["log_rows"].items())
    say(f"{doomed['staged_files']} staged files, {rows}")
    for name, of_candidate in doomed["candidates"].items():
        say(f"candidate {name}: {len(of_candidate['generations'])} generations, {of_candidate['staged_files']} staged files")
    if found is None:
        say(UNSEEN)
        return
    say(f"on the Prefect server: {len(found.artifacts)} artifacts, {len(found.task_runs)} task runs with their logs")


def say_purged(outcome: dict[str, Any]) -> None:
    """Print what a purge deleted, and what it could not delete."""
    if outcome["generation"] is not None:
        n_generations = len(outcome["generations"])
        beside = f" and from its candidates {', '.join(outcome['candidates'])}" if outcome["candidates"] else ""
        say(f"{outcome['path']} was deleted from {n_generations} generations{beside}; generation {outcome['generation']} is live")
        say("if its file is still in the source, remove or exclude it: otherwise the next refresh adds it again")
    server = outcome["server"]
    if server is None:
        say(UNSEEN)
        return
    n_artifacts, n_tasks = len(server["artifacts"]), len(server["task_runs"])
    say(f"deleted from the Prefect server: {n_artifacts} artifacts, {n_tasks} task runs with their logs")
    if server["flow_runs"]:
        warn(f"{KEPT}: {' '.join(server['flow_runs'])}")
