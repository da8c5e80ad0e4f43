"""What Prefect adds: the refresh flow beside the same steps as plain functions, in one process, start-up aside."""

import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

from schemas.corpus import Corpus

ROUNDS = 2
BAR = 0.15


def compare_orchestration(source: Path, work: Path, say: Callable[[str], None]) -> None:
    """Print the wall time of both, alternating, and their ratio."""
    from prefect.testing.utilities import prefect_test_harness

    from flows.refresh import refresh
    from flows.settings import read_refresh_options
    from tasks.embed.io.embedder import Embedder

    say("\nOrchestration: the flow beside the same steps as plain functions, start-up aside")
    options = read_refresh_options({})
    Embedder(options.embed.model, options.embed).encode(["warm"])
    plain, flow = [], []
    with prefect_test_harness(server_startup_timeout=120):
        refresh(str(_little(work)), str(work / "warm"))
        for _ in range(ROUNDS):
            plain.append(time_refresh(work, lambda corpus: run_plain(source, corpus, options)))
            flow.append(time_refresh(work, lambda corpus: refresh(str(source), corpus)))
    ratio = min(flow) / min(plain)
    say(f"  plain {', '.join(f'{s:.1f}' for s in plain)} s; Prefect {', '.join(f'{s:.1f}' for s in flow)} s")
    say(f"  Prefect / plain = {ratio:.3f}, bar {1 + BAR:.2f}{'' if ratio <= 1 + BAR else '  MISSED'}")


def _little(work: Path) -> Path:
    folder = work / "little"
    folder.mkdir()
    (folder / "a.txt").write_text("One small text, to load what is loaded once.")
    return folder


def time_refresh(work: Path, run: Callable[[str], Any]) -> float:
    """Return the seconds that `run` takes on a corpus of its own."""
    corpus = work / f"timed-{uuid4().hex}"
    started = time.monotonic()
    run(str(corpus))
    seconds = time.monotonic() - started
    shutil.rmtree(corpus)
    return seconds


def run_plain(source: Path, corpus: str, options: Any) -> None:
    """Refresh without Prefect."""
    from flows.pipeline import PLAIN_CALLS, run_pipeline
    from tasks.refresh.io.job import open_job

    with open_job(str(source), Corpus(corpus), options) as job, job.start(uuid4().hex):
        run_pipeline(job, PLAIN_CALLS)
