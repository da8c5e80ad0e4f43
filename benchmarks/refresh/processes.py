"""Run commands and look at what they cost."""

import json
import resource
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, NamedTuple

import psutil

POLL_SECONDS = 0.05
MEBIBYTE = 2**20


class Cost(NamedTuple):
    """What a command printed as JSON, its seconds, the most memory that one of its processes held, in MiB, and seconds of CPU.

    CPU is that of the command and of the processes that it waited for.
    """

    printed: Any
    seconds: float
    peak_mib: float
    cpu_seconds: float


def pagemill(*arguments: str | Path, ok: bool = True) -> Cost:
    """Run `pagemill … --json`; `ok` tells whether it must succeed."""
    command = [sys.executable, "-m", "flows.cli", *map(str, arguments), "--json"]
    started, used = time.monotonic(), _used_by_children()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    watch = Watch(process.pid)
    out, err = process.communicate()
    seconds = time.monotonic() - started
    if ok and process.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{err}")
    return Cost(json.loads(out) if out.strip() else None, seconds, watch.end(), _used_by_children() - used)


def _used_by_children() -> float:
    found = resource.getrusage(resource.RUSAGE_CHILDREN)
    return found.ru_utime + found.ru_stime


class Watch:
    """Follows the memory of a process and its descendants."""

    def __init__(self, pid: int) -> None:
        self._process = psutil.Process(pid)
        self._peak = 0
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._poll)
        self._thread.start()

    def end(self) -> float:
        """Return the most memory that one process held, in MiB."""
        self._done.set()
        self._thread.join()
        return self._peak / MEBIBYTE

    def _poll(self) -> None:
        while not self._done.wait(POLL_SECONDS):
            try:
                family = [self._process, *self._process.children(recursive=True)]
            except psutil.NoSuchProcess:
                return
            for member in family:
                self._peak = max(self._peak, _resident(member))


def _resident(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.Error:
        return 0
