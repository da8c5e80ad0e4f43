"""Confinement: what a worker process may not do, whatever code takes it over. Workers handle documents from anywhere.

No network, where the kernel allows namespaces; no privileges, also none by programs that it starts; no more memory, open files
and bytes in a file than an honest worker needs. The number of processes has no limit: the kernel counts those of the whole user.
"""

import ctypes
import os
import resource
import sys
from contextlib import suppress
from pathlib import Path

PR_SET_NO_NEW_PRIVS = 38
CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000
CAPABILITIES_VERSION = 0x20080522
READS_ALL, WRITES_ALL = 1 << 2, 1 << 1
"""CAP_DAC_READ_SEARCH and CAP_DAC_OVERRIDE: by these root, who runs Pagemill in many a container, reads files of other users."""
OPEN_FILES = 512
UNTOUCHED_MB = 4096
"""Memory that libraries ask for and never touch: with layout model and OCR 1.7 GB beside 0.5 GB that were resident."""
MIB = 1024 * 1024

network_refused = ""
"""Set by the guard."""


def why_networked(tick: object = None) -> str:
    """Return, in a worker, why it has a network; blank if it has none."""
    return network_refused


def leave_network() -> str:
    """Go to a network namespace of this process's own, without any network; return why that cannot be, blank if it can.

    A user namespace comes with it if possible: from there neither memory nor environment of other processes of the same user can
    be read. Users and groups keep their numbers, so that files can be read as before. Only for a process with one thread.
    """
    if sys.platform != "linux":
        return "only Linux has namespaces"
    libc = ctypes.CDLL(None, use_errno=True)
    waiting, ready = os.pipe()
    process, helper = os.getpid(), os.fork()
    if helper == 0:
        os.close(ready)
        if os.read(waiting, 1):
            keep_numbers(process)
        os._exit(0)
    os.close(waiting)
    refused = 0
    if libc.unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0:
        os.write(ready, b"1")
    else:
        refused = ctypes.get_errno()
    os.close(ready)
    os.waitpid(helper, 0)
    if refused and libc.unshare(CLONE_NEWNET) != 0:
        return f"the kernel refuses namespaces to this user: {os.strerror(refused)}"
    return ""


def keep_numbers(process: int) -> None:
    """Give users and groups in the user namespace of `process` the numbers that they have here: all of them, or our own."""
    proc = Path(f"/proc/{process}")
    for kind, own in (("uid", os.geteuid()), ("gid", os.getegid())):
        everyone = "".join(
            f"{line.split()[0]} {line.split()[0]} {line.split()[2]}\n" for line in _lines(f"/proc/self/{kind}_map")
        )
        try:
            (proc / f"{kind}_map").write_text(everyone)
        except PermissionError:
            with suppress(OSError):
                if kind == "gid":
                    (proc / "setgroups").write_text("deny")
                (proc / f"{kind}_map").write_text(f"{own} {own} 1")


def _lines(path: str) -> list[str]:
    return Path(path).read_text().splitlines()


def limit(memory_mb: int) -> None:
    """Bound what this process and each that it starts may use.

    Memory that is taken bit by bit ends at limits.memory_mb, as the keeper sees it; this bound is for an allocation of gigabytes.
    """
    for what, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_DATA, (memory_mb + UNTOUCHED_MB) * MIB),
        (resource.RLIMIT_FSIZE, memory_mb * MIB),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
    ):
        hard = resource.getrlimit(what)[1]
        value = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (value, value))


def give_up_privileges() -> None:
    """Drop all capabilities but to read and write files, if they are there, and see that no program brings them back."""
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(PR_SET_NO_NEW_PRIVS, ctypes.c_ulong(1), 0, 0, 0)
    header = (ctypes.c_uint32 * 2)(CAPABILITIES_VERSION, 0)
    sets = (ctypes.c_uint32 * 6)()
    libc.capget(header, sets)
    kept = READS_ALL | WRITES_ALL if os.geteuid() == 0 else 0
    effective, permitted = sets[0] & kept, sets[1] & kept
    if libc.capset(header, (ctypes.c_uint32 * 6)(effective, permitted, 0, 0, 0, 0)) != 0:
        raise OSError(ctypes.get_errno(), "capabilities cannot be dropped")
