"""Read the status of a corpus: rows, sizes, runs and recall."""

from collections.abc import Iterator
from datetime import datetime

import pyarrow.compute as pc

from schemas.corpus import PRIVATE, Corpus
from schemas.errors import InputError
from schemas.tables.generations import VERSIONED
from tasks.evaluate.corpus_status import RUNS, CorpusStatus, RunPoint, Sample
from tasks.evaluate.io import read_logs
from tasks.evaluate.report.data import Mean
from tasks.publish.io.reports.names import name_corpus
from tasks.publish.io.reports.report import describe_change_counts
from tasks.publish.io.run_log import RunRecord, read_logged_runs
from tasks.store import published
from tasks.store.files import find_storage

METRIC, CUTOFF = "recall", 5


def read_corpus_status(corpus: Corpus) -> CorpusStatus | None:
    """Return what is known of a corpus, or None if nothing was published yet.

    Raises:
        CorpusError: a table cannot be read.
    """
    generations = published.read_all_generations(corpus)
    if not generations:
        return None
    live, recalls, ended = generations[-1], read_recall_by_generation(corpus), read_logged_runs(corpus)
    counts = {found.generation: found.counts for found in generations}
    accepted = [run for run in ended if run.outcome != "refused"]
    evaluated = [(number, recalls[number]) for number in sorted(recalls) if number <= live.generation]
    return CorpusStatus(
        name=name_corpus(corpus.uri),
        published_at=datetime.fromisoformat(live.published_at),
        checked_at=accepted[-1].end_time if accepted else None,
        generation=live.generation,
        held=live.held,
        recipe=live.recipe,
        embedder=live.options.get("embed", {}).get("model", live.embedder),
        totals={**{name: live.counts[f"n_{name}"] for name in VERSIONED}, "pages": _count_pages(corpus, live)},
        sizes=measure_corpus_sizes(corpus),
        recall=_format_recall(*evaluated[-1]) if evaluated else "nobody evaluated yet",
        points=[_make_run_point(run, counts.get(run.generation, {}), recalls.get(run.generation)) for run in ended[-RUNS:]],
    )


def _format_recall(generation: int, mean: Mean) -> str:
    return f"{mean.value:.3f} [{mean.low:.3f}, {mean.high:.3f}], {mean.n} questions, generation {generation}"


def _count_pages(corpus: Corpus, live: published.Generation) -> int:
    return int(pc.sum(published.read_columns(corpus, live, "documents", ["n_pages"])["n_pages"]).as_py() or 0)


def _make_run_point(run: RunRecord, counts: dict[str, int], recall: Mean | None) -> RunPoint:
    return RunPoint(
        when=run.end_time,
        outcome=run.outcome,
        generation=run.generation,
        changes=describe_change_counts(run.counts),
        documents=counts.get("n_documents", 0),
        chunks=counts.get("n_chunks", 0),
        rejects=counts.get("n_rejects", 0),
        seconds=run.seconds,
        recall=recall.value if recall else None,
    )


def read_recall_by_generation(corpus: Corpus) -> dict[int, Mean]:
    """Return the mean recall of the first 5 results, or of the largest cutoff below, of each generation's last evaluation."""
    try:
        evaluations = read_logs.read_logged_runs(corpus)
    except InputError:  # nobody evaluated yet
        return {}
    means = read_logs.read_metric_means(corpus, [one.run_id for one in evaluations])
    found: dict[int, Mean] = {}
    for one in evaluations:
        known = {cutoff: mean for (metric, _, cutoff), mean in means.get(one.run_id, {}).items() if metric == METRIC}
        if below := [cutoff for cutoff in known if cutoff <= CUTOFF]:
            found[one.generation] = known[max(below)]
    return found


def measure_corpus_sizes(corpus: Corpus) -> dict[str, int]:
    """Return the bytes on disk: those of the tables, and those of all other files of the corpus."""
    totals = {"tables": 0, "kept beside them": 0}
    for path, found in find_storage(corpus.folder).list_below(corpus.folder):
        totals["kept beside them" if path.startswith(f"{PRIVATE}/") else "tables"] += found.size
    return totals


def read_metric_samples(corpus: Corpus) -> Iterator[Sample]:
    """Yield the metrics of a corpus: what is live, and what the last refresh did that ended.

    Raises:
        CorpusError: nothing was published there yet.
    """
    live, status, runs = published.read_live_generation(corpus), read_corpus_status(corpus), read_logged_runs(corpus)
    yield Sample("generation", "number of the live generation", live.generation)
    for name, n in status.totals.items() if status else ():
        yield Sample(name, f"{name} of the live generation", n)
    for part, n in measure_corpus_sizes(corpus).items():
        yield Sample("bytes", "size on disk", n, {"part": part})
    yield Sample("published_timestamp_seconds", "when the live generation was published", _to_unix_time(live.published_at))
    if recalls := read_recall_by_generation(corpus):
        yield Sample("recall", "recall@5 of the last evaluated generation", recalls[max(recalls)].value)
    accepted = [run for run in runs if run.outcome != "refused"]
    if accepted:
        yield Sample("checked_timestamp_seconds", "when corpus and source were last compared", accepted[-1].ended_at)
    if runs:
        yield from _make_run_samples(runs[-1])


def _make_run_samples(run: RunRecord) -> Iterator[Sample]:
    for outcome in ("published", "nothing changed", "refused"):
        yield Sample("run_outcome", "1 for how the last refresh ended", float(outcome == run.outcome), {"outcome": outcome})
    yield Sample("run_timestamp_seconds", "when the last refresh ended", run.ended_at)
    yield Sample("run_seconds", "duration of the last refresh", run.seconds)
    for change, n in run.counts.items():
        if not change.startswith("n_"):
            yield Sample("run_documents", "documents of the last refresh by what became of them", n, {"change": change})
    for step, total in run.steps.items():
        yield Sample("run_computed", "documents that a step computed", total["computed"], {"step": step})
        yield Sample("run_cache_hits", "documents that a step found computed before", total["reused"], {"step": step})
        yield Sample("run_step_seconds", "seconds of a step, batches side by side added up", total["seconds"], {"step": step})
    for table, n in run.new_rows.items():
        yield Sample("run_new_rows", "rows that the last refresh wrote", n, {"table": table})
    if run.new_rows and run.seconds:
        rate = run.new_rows.get("chunks", 0) / run.seconds
        yield Sample("run_chunks_per_second", "chunks that the last refresh wrote, by its seconds", rate)


def _to_unix_time(when: str) -> float:
    return datetime.fromisoformat(when).timestamp()
