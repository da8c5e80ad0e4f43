"""What `dask worker --preload` loads for a worker that is to die: it kills itself in a step, as a power failure does."""

import os
import signal
from typing import Any

from tasks.refresh.io.steps import BATCH_STEPS

STEP, STAGED = os.environ.get("KILLED_IN", "").partition(" ")[::2]


def dask_setup(worker: object) -> None:
    """Have this process die in its first batch of a step: at once, or when all of it is staged and nothing is answered."""
    if not STEP:
        return
    original = BATCH_STEPS[STEP]

    def dying(*args: Any, **keywords: Any) -> Any:
        if STAGED:
            original(*args, **keywords)
        os.kill(os.getpid(), signal.SIGKILL)

    BATCH_STEPS[STEP] = dying
