"""Judge: have Great Expectations judge a draft. A process of its own loads it while documents are parsed: it takes seconds."""

import sys
from collections.abc import Callable, Sequence

from expectations.expected import Finding, TalliedSuite
from expectations.judging import judge_expectations
from schemas.errors import PagemillError
from tasks.refresh.io.running import find_active_run
from tasks.refresh.run import Run
from tasks.store.loading import import_expectations
from tasks.workers.pool import WorkerPool

Tick = Callable[[int], None]


def preload_judge(judges: WorkerPool) -> None:
    """Have the worker process of `judges` load what it needs to judge, and do not wait for it."""
    if not _is_loaded():
        judges.begin(load_judge_in_worker)


def preload_statistics(judges: WorkerPool) -> None:
    """Have the worker process of `judges` load what it needs to compare lengths with earlier ones, and do not wait for it."""
    if not _is_loaded():
        judges.begin(load_statistics_in_worker)


def judge_suites(run: Run, suites: Sequence[TalliedSuite]) -> list[Finding]:
    """Return what Great Expectations finds, see `expectations.judging.judge_expectations`.

    Raises:
        PagemillError: the process that judges failed.
    """
    if _is_loaded():
        return judge_expectations(suites)
    _, answer = next(find_active_run(run.run_id).judges.map(judge_in_worker, [(list(suites),)]))
    if isinstance(answer, PagemillError):
        raise answer
    return [Finding(**finding) for finding in answer]


def load_judge_in_worker(tick: Tick) -> None:
    """Load Great Expectations in a worker process."""
    import_expectations()


def load_statistics_in_worker(tick: Tick) -> None:
    """Load the statistics that find a drift of lengths, in a worker process."""
    from scipy.stats import entropy  # noqa: F401


def judge_in_worker(suites: Sequence[TalliedSuite], tick: Tick) -> list[dict[str, object]]:
    """Judge in a worker process; return the findings as JSON values."""
    import_expectations()
    return [finding.model_dump() for finding in judge_expectations(suites)]


def _is_loaded() -> bool:
    return "great_expectations" in sys.modules
