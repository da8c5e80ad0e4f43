"""What `dask worker --preload` loads for a worker that is to die: it kills itself in a step, as a power failure does.

Another worker that loads it waits in that step until this has happened: so the one that is to die is given a batch. A file beside
the mark tells that it waits.
"""

import os
import signal
import time
from pathlib import Path
from typing import Any

from tasks.refresh.io.steps import BATCH_STEPS

STEP, STAGED = os.environ.get("KILLED_IN", "").partition(" ")[::2]
MARK = Path(os.environ.get("KILLED_MARK", ""))
"""The file that tells that a worker has died."""
SURVIVES = bool(os.environ.get("SURVIVES"))
WAIT_SECONDS = 120.0

PRELOAD = ("--preload", "tests.flows.dask.killed")


def dask_setup(worker: object) -> None:
    """Have this process die in its first batch of a step, at once or when all of it is staged, before it answers; or wait."""
    if not STEP:
        return
    original = BATCH_STEPS[STEP]

    def dying(*args: Any, **keywords: Any) -> Any:
        if STAGED:
            original(*args, **keywords)
        MARK.touch()
        os.kill(os.getpid(), signal.SIGKILL)

    def waiting(*args: Any, **keywords: Any) -> Any:
        (MARK.parent / "waits").touch()
        deadline = time.monotonic() + WAIT_SECONDS
        while not MARK.exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        return original(*args, **keywords)

    BATCH_STEPS[STEP] = waiting if SURVIVES else dying


def killed_in(step: str, folder: Path) -> tuple[dict[str, str], dict[str, str]]:
    """Return the variables of a worker that dies in a step, and of one that survives it; `folder` is for their mark."""
    shared = {"KILLED_IN": step, "KILLED_MARK": str(folder / "killed")}
    return shared, {**shared, "SURVIVES": "1"}
