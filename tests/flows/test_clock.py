"""A phase that waits leaves its cores idle; one that computes uses them, in child processes too."""

import os
import subprocess
import sys
import time

from flows.clock import Clock


def test_waiting_is_idle_and_computing_is_not() -> None:
    clock, cores = Clock(), len(os.sched_getaffinity(0))
    with clock.phase("wait"):
        time.sleep(0.3)
    with clock.phase("compute"):
        subprocess.run([sys.executable, "-c", "import time\nwhile time.process_time() < 1: pass"], check=True)
    waited, computed = clock.phases["wait"], clock.phases["compute"]
    assert waited.idle_core_seconds > 0.8 * cores * waited.seconds > 0
    assert computed.idle_core_seconds < cores * computed.seconds - 0.8
