"""Commands that read a published corpus, or publish an older generation again."""

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from uuid import uuid4

import typer

from flows.cli.output import As, CorpusOption, Json, print_json, print_line, print_rows, print_table
from schemas.access import Principal
from schemas.corpus import Corpus
from schemas.errors import CorpusError, InputError

if TYPE_CHECKING:
    from tasks.search.io.ask import Answer

UNSEEN = re.compile("[\u00ad\u200b\u200e\u200f\u2060\ufeff]")
"""Soft hyphens and other characters of texts that nobody sees, and that would be shown as escapes."""

SNIPPET = 300
"""Most characters of a result that are shown to people; `--json` gives the whole text."""


Where = Annotated[
    str | None, typer.Option(help='SQL condition on columns, such as "year = 2023" or "author = \'Ada\' AND n_pages > 3".')
]


def add_corpus_commands(application: typer.Typer) -> None:
    """Add the commands."""
    for function in (search, documents, duplicates, findings, generations, rollback, status, rejects, validations):
        application.command()(function)


def search(
    question: Annotated[str, typer.Argument(help="What to ask, in plain words.")],
    corpus: CorpusOption,
    k: Annotated[int, typer.Option("-k", min=1, help="Results.")] = 5,
    mode: Annotated[str, typer.Option(help="hybrid (dense and full-text, fused), dense, or fts.")] = "hybrid",
    returned: Annotated[
        str,
        typer.Option(
            "--return",
            help="passages (neighbouring chunks joined, trimmed to the sentences that match), chunks as they are, or parents.",
        ),
    ] = "passages",
    where: Where = None,
    budget: Annotated[int | None, typer.Option(min=1, help="Tokens: as many results as fit into so many, instead of -k.")] = None,
    by: Annotated[
        str | None, typer.Option("--by", help="Rank pages or documents, each shown by its best chunk: page or document.")
    ] = None,
    show_all: Annotated[
        bool, typer.Option("--all", help="Show all of the documents that say nearly the same, and not the newest alone.")
    ] = False,
    rerank: Annotated[
        str | None, typer.Option(help="Order the best chunks by a cross-encoder: a directory or hub id. None is packaged.")
    ] = None,
    figures: Annotated[bool, typer.Option("--figures", help="Find figures, by picture and description.")] = False,
    asker: As = None,
    as_json: Json = False,
) -> None:
    """Answer a question from the live generation, with document, page and place of every result."""
    from tasks.search.io.ask import answer_question
    from tasks.search.io.retrieve import open_searcher
    from tasks.store.audit import record_at_once

    if figures and (mode, returned, budget, by, rerank) != ("hybrid", "passages", None, None, None):
        raise InputError("--figures has its own ranking: leave out --mode, --return, --budget, --by and --rerank")
    if figures:
        _search_and_print_figures(question, corpus, k, where, show_all, asker, as_json)
        return
    searcher = open_searcher(corpus, rerank, asker)
    with record_at_once(corpus, searcher.live, asker, "search", question, where) as told:
        found = answer_question(searcher, question, k, mode, where, returned, budget=budget, by=by, show_all=show_all)
        told += [hit.document_id for hit in found.hits]
    if as_json:
        results = [hit.model_dump() for hit in found.hits]
        print_json({"generation": searcher.generation, "answered": found.answered, "results": results})
        return
    print_hits(found)


def print_hits(found: "Answer") -> None:
    """Print the results, after a warning if none of them seems to answer the question."""
    from tasks.search.answerability import UNANSWERED

    if found.hits and found.answered is not None and found.answered < UNANSWERED:
        print_line(f"nothing in the corpus seems to answer this ({found.answered:.2f} of 1); this comes nearest:")
    for hit in found.hits:
        section = " > ".join(hit.section)
        where = ", ".join(hit.places) or _format_pages(hit.pages)
        print_line(f"{hit.rank}. {hit.path}, {where}{', ' + section if section else ''}  [{hit.score:.4f}]")
        print_line(f"   {_shorten_to_snippet(hit.text)}")
        if hit.also_in:
            print_line(f"   also in: {', '.join(hit.also_in)}")
    if not found.hits:
        print_line("no results")


def _search_and_print_figures(
    question: str, corpus: Corpus, k: int, where: str | None, show_all: bool, asker: Principal | None, as_json: bool
) -> None:
    from tasks.search.io.figures import find_figures
    from tasks.store.audit import record_at_once
    from tasks.store.published import read_live_generation

    with record_at_once(corpus, read_live_generation(corpus), asker, "figures", question, where) as told:
        hits = find_figures(corpus, question, k, where, show_all, asker)
        told += [hit.document_id for hit in hits]
    if as_json:
        print_json({"results": [hit.model_dump() for hit in hits]})
        return
    for hit in hits:
        sure = f" (confidence {hit.confidence:.2f})" if hit.confidence is not None else ""
        print_line(f"{hit.rank}. {hit.path}, page {hit.page_number}, {hit.type}{sure}  [{hit.score:.4f}]")
        print_line(f"   {_shorten_to_snippet(hit.description)}")
    if not hits:
        print_line("no figures")


def _format_pages(pages: list[int]) -> str:
    return ("page " if len(pages) == 1 else "pages ") + ", ".join(map(str, pages))


def _shorten_to_snippet(text: str) -> str:
    flat = " ".join(UNSEEN.sub("", text).split())
    return flat if len(flat) <= SNIPPET else flat[:SNIPPET].rsplit(" ", 1)[0] + " …"


def documents(corpus: CorpusOption, where: Where = None, asker: As = None, as_json: Json = False) -> None:
    """List the documents of the live generation. A stale one has changed since, and could not be read again."""
    from tasks.search.io.documents import list_published_documents
    from tasks.store.audit import record_at_once
    from tasks.store.published import read_live_generation

    with record_at_once(corpus, read_live_generation(corpus), asker, "documents", condition=where) as told:
        rows = list_published_documents(corpus, where, asker)
        told += [str(row["document_id"]) for row in rows]
    columns = ["path", "title", "media_type", "n_pages", "n_chunks", "n_chars", "language", "state"]
    print_rows(rows, as_json, columns, "no documents")


def duplicates(corpus: CorpusOption, asker: As = None, as_json: Json = False) -> None:
    """List the documents that say nearly the same, by the newest of them, which a search shows."""
    from tasks.search.io.duplicates import read_duplicates
    from tasks.store.access import OpenTables, check_owner
    from tasks.store.published import read_live_generation

    check_owner(corpus, asker)
    tables = OpenTables(corpus, read_live_generation(corpus), asker)
    rows = read_duplicates(tables).list_clusters().to_pylist()
    if as_json:
        print_json(rows)
        return
    lines = [{**row, "similarity": "" if row["similarity"] is None else f"{row['similarity']:.2f}"} for row in rows]
    print_table(lines, ["cluster", "path", "similarity"], "no duplicates")


def findings(corpus: CorpusOption, asker: As = None, as_json: Json = False) -> None:
    """Count the personal data that was found, by kind (see pii.action); --json lists each place, with a hash of its value."""
    from tasks.publish.io.findings import count_by_kind, read_findings
    from tasks.store.access import OpenTables, check_owner
    from tasks.store.published import read_live_generation

    check_owner(corpus, asker)
    found = read_findings(OpenTables(corpus, read_live_generation(corpus), asker))
    if as_json:
        print_json(found.to_pylist())
        return
    print_table(
        list(count_by_kind(found)), ["kind", "places", "documents", "values"], "no personal data was found, or looked for"
    )


def generations(corpus: CorpusOption, as_json: Json = False) -> None:
    """List the published states of a corpus, and which can be rolled back to."""
    from tasks.publish.io.tags import list_restorable_generations
    from tasks.store import published

    published.read_live_generation(corpus)
    kept = {found.generation for found in list_restorable_generations(corpus)}
    rows = [
        {**found.model_dump(exclude={"recipe_details", "profile"}), "restorable": found.generation in kept}
        for found in published.read_all_generations(corpus)
    ]
    if as_json:
        print_json(rows)
        return
    lines = [
        {**row, **row["counts"], "published_at": row["published_at"][:19], "documents": row["counts"]["n_documents"]}
        for row in rows
    ]
    columns = ["generation", "published_at", "kind", "base", "documents", "n_chunks", "n_rejects", "held", "restorable"]
    print_table(lines, columns, f"{corpus} holds no published corpus")


def rollback(
    generation: Annotated[int, typer.Argument(help="Number of the generation to bring back.")],
    corpus: CorpusOption,
    as_json: Json = False,
) -> None:
    """Publish an older generation again, and hold it: refreshes stop until one is given --release."""
    from tasks.publish.io.rollback import roll_back_corpus

    new = roll_back_corpus(corpus, generation, uuid4().hex)
    if as_json:
        print_json({"generation": new, "base": generation, "held": True})
        return
    print_line(f"generation {new} is live: the state of generation {generation}, held until a refresh with --release")


def status(
    corpus: CorpusOption,
    prometheus: Annotated[bool, typer.Option("--prometheus", help="Print metrics for Prometheus.")] = False,
    otlp: Annotated[bool, typer.Option("--otlp", help="Send these metrics by OpenTelemetry.")] = False,
    as_json: Json = False,
) -> None:
    """Show the live generation: counts, recipe, whether it is held, and options that differ from the defaults.

    Also show whether the corpus is whole, and whether workers, the processes that read documents, can use the network.
    """
    if prometheus:
        _print_metrics(corpus)
    if otlp:
        from tasks.observe.io.telemetry import send_corpus_metrics

        send_corpus_metrics(corpus)
    if prometheus or otlp:
        return
    from flows.cli.upkeep.integrity import describe_wholeness
    from tasks.publish.effective import list_non_default_options
    from tasks.store import published
    from tasks.workers.pool import describe_worker_network

    live = published.read_live_generation(corpus)
    facts: dict[str, Any] = {
        "corpus": str(corpus.folder.resolve()),
        **live.model_dump(include={"generation", "kind", "published_at", "recipe", "run_id", "held", "columns"}),
        **live.counts,
        "workers": describe_worker_network(),
        **describe_wholeness(corpus),
    }
    if as_json:
        print_json({**facts, "options": live.options})
        return
    for name, value in facts.items():
        if value or name not in live.counts:
            print_line(f"{name:<14} {value if value != {} else 'none'}")
    others = [
        f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in list_non_default_options(live.options).items()
    ]
    defaults = "all at their defaults" if live.options else "not recorded"
    print_line(f"{'options':<14} {', '.join(others) or defaults}")


def _print_metrics(corpus: Corpus) -> None:
    """Print the metrics of a corpus for Prometheus; if a Prefect server answers, also how many runs of the corpus wait."""
    from flows.cli.server import get_prefect_server_url, report_to_prefect_server
    from tasks.evaluate.corpus_status import format_metric_samples
    from tasks.evaluate.io.corpus_status import read_metric_samples

    found = list(read_metric_samples(corpus))
    if url := get_prefect_server_url():
        from flows.queue import count_queued_runs  # Prefect takes seconds to import

        with report_to_prefect_server(url):
            found += count_queued_runs(corpus)
    for line in format_metric_samples(found, str(corpus.folder.resolve())).split("\n"):
        print_line(line)


def rejects(
    corpus: CorpusOption,
    run: Annotated[str | None, typer.Option("--run", help="Only those of one run.")] = None,
    asker: As = None,
    as_json: Json = False,
) -> None:
    """List the documents and pages that could not be handled, why, and what to do.

    Page 0 is the whole document. What is final is tried again only when the file or the recipe changes.
    """
    from tasks.publish.io.reports.report import list_rejects
    from tasks.store import published
    from tasks.store.access import check_owner

    published.read_live_generation(corpus)
    check_owner(corpus, asker)
    rows = [row for row in list_rejects(corpus) if run is None or row["run_id"] == run]
    if run is not None and not rows and run not in {found.run_id for found in published.read_all_generations(corpus)}:
        raise InputError(f"{corpus} has no run {run}: see `pagemill generations --json` for run ids")
    print_rows(rows, as_json, ["path", "page_number", "step", "error", "message", "remedy", "final", "attempts"], "no rejects")


def validations(
    corpus: CorpusOption,
    run: Annotated[str | None, typer.Option("--run", help="Of one run; by default the last.")] = None,
    docs: Annotated[Path | None, typer.Option("--docs", help="Write pages of all runs into this folder instead.")] = None,
    asker: As = None,
    as_json: Json = False,
) -> None:
    """List what the expectations found in a run, whether it was published or refused.

    With --docs, the suites and what they found in each run are written as Data Docs, the pages of Great Expectations.
    """
    from tasks.publish.io.validate import read_validations
    from tasks.store import lance
    from tasks.store.access import check_owner

    check_owner(corpus, asker)
    if not lance.does_table_exist(corpus, "validations"):
        raise CorpusError(f"{corpus} holds no validations: refresh it first, or check the path")
    if docs is not None:
        if run is not None:
            raise InputError("--docs writes the pages of all runs: leave out --run")
        from tasks.publish.io.data_docs import write_data_docs

        index = write_data_docs(corpus, docs)
        print_json({"index": str(index)}) if as_json else print_line(f"open {index}")
        return
    rows = read_validations(corpus, run)
    if run is not None and not rows:
        raise InputError(f"{corpus} has no validations of run {run}: see `pagemill generations --json` for run ids")
    if as_json:
        print_json(rows)
        return
    results = {True: "holds", False: "fails"}
    lines = [{**row, "result": results[row["success"]]} for row in rows]
    print_table(lines, ["result", "severity", "finding"], "no validations")
