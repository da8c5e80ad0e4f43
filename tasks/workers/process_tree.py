"""Process tree: the resources of a process and all its descendants, read from /proc in about 20 µs per process."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import psutil

from tasks.workers.confinement import MIB

TICKS, PAGE_BYTES = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")
OF_TIMES, OF_RESIDENT = slice(11, 15), 21
"""Fields of /proc/PID/stat after the program's name: user and system time, those of ended children, and resident pages."""


LISTS_CHILDREN = Path("/proc/thread-self/children").exists()
"""Without CONFIG_PROC_CHILDREN the kernel lists only parents, and all processes must be searched."""


class Usage(NamedTuple):
    """CPU seconds of a process tree so far, and the resident memory below its root, in MiB.

    Memory is the sum of resident sets. Pages shared by several processes count more than once, so a worker seems a few MiB larger
    while Tesseract runs. Proportional sets would be exact, but reading them takes milliseconds for a large process, twenty times
    a second, because the kernel walks all page tables.
    """

    cpu_seconds: float
    memory_mib: float


def measure_process_tree_usage(root: int) -> Usage:
    """Return what the process `root` and its descendants have used; zeros after it has ended.

    A child's time counts while it lives, and again after its parent, or `root` for orphans, has waited for it.
    """
    ticks, pages = 0, 0
    for pid in _walk_process_tree(root):
        fields = _read_process_stat(pid)
        if fields:
            ticks += sum(map(int, fields[OF_TIMES]))
            pages += int(fields[OF_RESIDENT]) if pid != root else 0
    return Usage(ticks / TICKS, pages * PAGE_BYTES / MIB)


def _walk_process_tree(root: int) -> Iterator[int]:
    """Yield `root` and its descendants, each before its children, so that a process that ends meanwhile counts at most once."""
    yield root
    for child in _list_child_processes(root):
        yield from _walk_process_tree(child)


def _list_child_processes(pid: int) -> list[int]:
    if not LISTS_CHILDREN:
        with suppress(psutil.NoSuchProcess):
            return [child.pid for child in psutil.Process(pid).children()]
    found: list[int] = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            found += map(int, Path(f"/proc/{pid}/task/{thread}/children").read_bytes().split())
    except (FileNotFoundError, ProcessLookupError):
        pass
    return found


def _read_process_stat(pid: int) -> list[bytes]:
    try:
        return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return []
