"""The log of runs: what each of the last refreshes of a corpus did. It names no document, so a purge need not look at it."""

import json
import time
from datetime import UTC, datetime
from typing import Literal

from pydantic import Field, TypeAdapter, ValidationError

from schemas.corpus import Corpus
from schemas.references import Frozen
from tasks.store import files

MOST = 100
"""Runs that are kept."""


class RunRecord(Frozen):
    """A refresh that ended at `ended_at` (seconds of the epoch) after `seconds`, with `generation` live then.

    `counts` are those of the published generation, and `new_rows` its new rows by table; both are empty if nothing was
    published. `steps` are totals by step: computed, reused and seconds. A run that failed or crashed is not here: the Prefect
    server knows it.
    """

    run_id: str
    outcome: Literal["published", "nothing changed", "refused"]
    generation: int
    ended_at: float
    seconds: float
    counts: dict[str, int] = Field(default_factory=dict)
    new_rows: dict[str, int] = Field(default_factory=dict)
    steps: dict[str, dict[str, float]] = Field(default_factory=dict)

    @property
    def end_time(self) -> datetime:
        """When the run ended, in UTC."""
        return datetime.fromtimestamp(self.ended_at, UTC)


RUNS = TypeAdapter(tuple[RunRecord, ...])


def log_ended_run(corpus: Corpus, began_at: float, **facts: object) -> None:
    """Append a run that began at `began_at`, seconds of the epoch, and ends now; forget the oldest.

    Raises:
        WriteError: the log cannot be written.
    """
    now = time.time()
    ended = RunRecord.model_validate({"ended_at": now, "seconds": max(0.0, now - began_at), **facts})
    kept = (*read_logged_runs(corpus), ended)[-MOST:]
    files.write_atomically(corpus.marker("runs.json"), json.dumps(RUNS.dump_python(kept, mode="json")).encode())


def read_logged_runs(corpus: Corpus) -> tuple[RunRecord, ...]:
    """Return the last runs, the oldest first."""
    try:
        return RUNS.validate_json(corpus.marker("runs.json").read_bytes())
    except (FileNotFoundError, ValidationError):  # none yet, or damaged: it only tells what was
        return ()
