"""Process tree: what a process and all below it have used, read from /proc, which costs some 20 µs a process."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import psutil

MIB = 1024 * 1024
TICKS, PAGE_BYTES = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")
OF_TIMES, OF_RESIDENT = slice(11, 15), 21
"""Where /proc/PID/stat holds user and system time, those of ended children, and resident pages, behind the program's name."""


LISTS_CHILDREN = Path("/proc/thread-self/children").exists()
"""Without CONFIG_PROC_CHILDREN the kernel tells only parents, and all processes must be looked through."""


class Usage(NamedTuple):
    """CPU seconds that a tree of processes has used so far, and resident memory below its root, in MiB.

    Memory is the sum of resident sets: pages that several processes share count more than once, so that a worker seems a few MiB
    larger when Tesseract runs beside it. Proportional sets would be exact, but to read them the kernel walks all page tables:
    milliseconds for a large process, twenty times a second.
    """

    cpu_seconds: float
    memory_mib: float


def usage_of(root: int) -> Usage:
    """Return what the process `root` and those below it have used; zeros when it is no more.

    A child's time counts while it lives, and after its end once its parent, or `root` for orphans, has waited for it.
    """
    ticks, pages = 0, 0
    for pid in _tree(root):
        fields = _fields(pid)
        if fields:
            ticks += sum(map(int, fields[OF_TIMES]))
            pages += int(fields[OF_RESIDENT]) if pid != root else 0
    return Usage(ticks / TICKS, pages * PAGE_BYTES / MIB)


def _tree(root: int) -> Iterator[int]:
    """Yield `root` and what is below it, each process before its children: what ends meanwhile is counted once at most."""
    yield root
    for child in _children(root):
        yield from _tree(child)


def _children(pid: int) -> list[int]:
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


def _fields(pid: int) -> list[bytes]:
    try:
        return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return []
