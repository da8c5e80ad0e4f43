"""Refresh: have other programs told of it, as far as their variables ask for that."""

from collections.abc import Iterator
from contextlib import contextmanager

from tasks.observe.io.lineage import report_lineage
from tasks.observe.io.telemetry import send_corpus_metrics_if_wanted, trace_refresh
from tasks.refresh.run import Run


@contextmanager
def observe_refresh(run: Run) -> Iterator[None]:
    """Tell of the block, in which a refresh is carried out."""
    try:
        with trace_refresh(run), report_lineage(run):
            yield
    finally:
        send_corpus_metrics_if_wanted(run.corpus)
