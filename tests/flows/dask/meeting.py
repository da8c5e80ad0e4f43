"""What `dask worker --preload` loads for two workers that are both to be given batches: each waits in a step for the other."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tasks.refresh.io.steps import BATCH_STEPS

PLACE = Path(os.environ.get("MEET_IN", ""))
WAIT_SECONDS = 120.0

PRELOAD = ("--preload", "tests.flows.dask.meeting")


def dask_setup(worker: object) -> None:
    """Have each step wait until two processes have begun it."""
    for step, original in list(BATCH_STEPS.items()):
        BATCH_STEPS[step] = after_meeting(step, original)


def after_meeting(step: str, original: Callable[..., Any]) -> Callable[..., Any]:
    """Return a step that first waits for its beginning in another process."""

    def met(*args: Any, **keywords: Any) -> Any:
        (PLACE / f"{step}-{os.getpid()}").touch()
        deadline = time.monotonic() + WAIT_SECONDS
        while len(list(PLACE.glob(f"{step}-*"))) < 2 and time.monotonic() < deadline:
            time.sleep(0.02)
        return original(*args, **keywords)

    return met
