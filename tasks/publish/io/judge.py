"""Judge: have Great Expectations judge a draft. A process of its own loads it while documents are parsed: it takes seconds."""

import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from expectations.expected import Tallied
from expectations.findings import Finding
from expectations.judging import judge
from schemas.errors import PagemillError, WorkerError
from tasks.refresh.io.running import running_of
from tasks.refresh.run import Run
from tasks.store.loading import sparingly

Tick = Callable[[int], None]


def load_expectations(tick: Tick = lambda n_done: None) -> None:
    """Load Great Expectations in this process."""
    with sparingly():
        from great_expectations import expectations  # noqa: F401  loaded for later imports


def call_judge(run: Run) -> None:
    """Start the process that will judge the draft of a run, and do not wait for it."""

    def start() -> None:
        with suppress(WorkerError):  # the run has ended by now; whoever needs the judge hears of errors
            next(running_of(run.run_id).checks.map(load_expectations, [()]))

    if not _is_here():
        threading.Thread(target=start, name="pagemill-judge", daemon=True).start()


def judged(run: Run, suites: Sequence[Tallied]) -> list[Finding]:
    """Return what Great Expectations finds, see `expectations.judging.judge`.

    Raises:
        PagemillError: the process that judges failed.
    """
    if _is_here():
        return judge(suites)
    _, answer = next(running_of(run.run_id).checks.map(findings_of, [(list(suites),)]))
    if isinstance(answer, PagemillError):
        raise answer
    return [Finding(**finding) for finding in answer]


def findings_of(suites: Sequence[Tallied], tick: Tick) -> list[dict[str, Any]]:
    """Judge in a worker process; return the findings as JSON values."""
    load_expectations()
    return [finding.model_dump() for finding in judge(suites)]


def _is_here() -> bool:
    return "great_expectations" in sys.modules
