"""`pagemill purge`: delete one document for good, from the corpus and from the Prefect server."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated
from uuid import uuid4

import typer

from flows.cli.output import CorpusOption, Json, print_json, print_line, print_table, print_warning
from flows.cli.server import get_prefect_server_url, report_to_prefect_server
from schemas.corpus import Corpus
from schemas.errors import InputError, UnknownDocument

if TYPE_CHECKING:
    from flows.forget import Traces
    from tasks.publish.io.purge import PurgeOutcome, WholePurgePreview

UNSEEN = "no Prefect server is running: if one has shown runs of this corpus, start it and purge again"
KEPT = "the logs and states of these runs also name the document; to delete them, delete each run: `prefect flow-run delete ID`"


def add_purge_command(application: typer.Typer) -> None:
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

    Documents in an archive, a mailbox or a mail go along with it.

    Asks before it deletes. If a Prefect server is running, its traces of the document are deleted too.
    """
    from tasks.publish.io.purge import preview_purge_with_candidates

    url = get_prefect_server_url()
    if dry_run:
        doomed = preview_purge_with_candidates(corpus, source_name, document)
        found = find_server_traces(url, corpus, [document, *doomed["members"]])
        print_json({**doomed, "server": convert_traces_to_json(found)}) if as_json else print_what_purge_would_delete(
            doomed, found
        )
        return
    if not yes:
        confirm_purge(document, preview_purge_with_candidates(corpus, source_name, document), corpus)
    outcome, server = purge_document_everywhere(url, corpus, source_name, document)
    print_json({**outcome, "server": server}) if as_json else print_what_purge_deleted(outcome, server)


def confirm_purge(document: str, doomed: "WholePurgePreview", corpus: Corpus) -> None:
    """Ask the user to confirm.

    Raises:
        InputError: there is no terminal to ask on.
    """
    beside = f" and from its candidates {', '.join(doomed['candidates'])}" if doomed["candidates"] else ""
    inner = f" and {len(doomed['members'])} documents in it" if doomed["members"] else ""
    what = f"delete {document}{inner} from {len(doomed['generations'])} generations of {corpus}{beside} for good"
    if not (sys.stdin and sys.stdin.isatty()):
        raise InputError(f"please confirm: to {what}, give --yes; to see what would be deleted, give --dry-run")
    typer.confirm(f"{what[0].upper()}{what[1:]}?", abort=True, err=True)


def purge_document_everywhere(
    url: str | None, corpus: Corpus, source_name: str, document: str
) -> tuple["PurgeOutcome", dict[str, list[str]] | None]:
    """Purge the corpus, then the server; return what each of them had. The document may be known to only one of them.

    Raises:
        UnknownDocument: neither knows the document.
    """
    from tasks.publish.io.purge import purge_corpus_and_candidates

    unknown: UnknownDocument | None = None
    outcome: PurgeOutcome = {"path": document, "members": [], "generations": [], "generation": None, "candidates": []}
    try:
        outcome = purge_corpus_and_candidates(corpus, source_name, document, uuid4().hex)
    except UnknownDocument as error:
        unknown = error
    found = find_server_traces(url, corpus, [document, *outcome["members"]])
    if unknown and not any(found or ()):
        raise unknown
    if url and found:
        from flows.forget import delete_traces

        with report_to_prefect_server(url):
            delete_traces(found)
    return outcome, convert_traces_to_json(found)


def find_server_traces(url: str | None, corpus: Corpus, documents: Sequence[str]) -> "Traces | None":
    """Return what the server has of the documents; None if there is no server."""
    if url is None:
        return None
    from flows.forget import find_server_traces_of_documents

    with report_to_prefect_server(url):
        return find_server_traces_of_documents(corpus.uri, documents)


def convert_traces_to_json(found: "Traces | None") -> dict[str, list[str]] | None:
    """Return the traces as JSON values."""
    return {name: [str(value) for value in values] for name, values in found._asdict().items()} if found else None


def print_what_purge_would_delete(doomed: "WholePurgePreview", found: "Traces | None") -> None:
    """Print what a purge would delete."""
    from schemas.tables.generations import VERSIONED

    print_table(
        doomed["generations"], ["generation", *VERSIONED], "no generation holds it: what files still have of it is deleted"
    )
    if doomed["members"]:
        print_line(f"documents in it: {', '.join(doomed['members'])}")
    rows = ", ".join(f"{count} rows of {log}" for log, count in doomed["log_rows"].items())
    print_line(f"{doomed['staged_files']} staged files, {rows}")
    for name, of_candidate in doomed["candidates"].items():
        print_line(
            f"candidate {name}: {len(of_candidate['generations'])} generations, {of_candidate['staged_files']} staged files"
        )
    if found is None:
        print_line(UNSEEN)
        return
    print_line(f"on the Prefect server: {len(found.artifacts)} artifacts, {len(found.task_runs)} task runs with their logs")


def print_what_purge_deleted(outcome: "PurgeOutcome", server: dict[str, list[str]] | None) -> None:
    """Print what a purge deleted, and what it could not delete."""
    if outcome["generation"] is not None:
        n_generations = len(outcome["generations"])
        inner = f" with {len(outcome['members'])} documents in it" if outcome["members"] else ""
        beside = f" and from its candidates {', '.join(outcome['candidates'])}" if outcome["candidates"] else ""
        print_line(
            f"{outcome['path']}{inner} was deleted from {n_generations} generations{beside}; "
            f"generation {outcome['generation']} is live"
        )
        print_line("if its file is still in the source, remove or exclude it: otherwise the next refresh adds it again")
    if server is None:
        print_line(UNSEEN)
        return
    n_artifacts, n_tasks = len(server["artifacts"]), len(server["task_runs"])
    print_line(f"deleted from the Prefect server: {n_artifacts} artifacts, {n_tasks} task runs with their logs")
    if server["flow_runs"]:
        print_warning(f"{KEPT}: {' '.join(server['flow_runs'])}")
