"""Confinement: what a worker process may not do, even if malicious code in a document takes control of it.

It has no network, if the kernel allows namespaces; no privileges, nor have the programs that it starts; and limits on memory,
open files and file sizes. The number of processes has no limit, because the kernel counts all processes of the user.
"""

import ctypes
import os
import resource
import struct
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

PR_SET_NO_NEW_PRIVS = 38
CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000
CAPABILITIES_VERSION = 0x20080522
CAP_DAC_READ_SEARCH, CAP_DAC_OVERRIDE = 1 << 2, 1 << 1
"""CAP_DAC_READ_SEARCH and CAP_DAC_OVERRIDE: with them root, the user in many containers, reads others' files."""
OPEN_FILES = 512
RESERVED_MB = 4096
"""Memory that libraries reserve but never use: with layout model and OCR 1.7 GB, besides 0.5 GB that are resident."""
MIB = 1024 * 1024
LANDLOCK_CREATE, LANDLOCK_ADD, LANDLOCK_RESTRICT = 444, 445, 446
"""System calls of https://docs.kernel.org/userspace-api/landlock.html, of the same numbers on all machines."""
MAY_READ, MAY_MAKE_SOCKETS, MAY_ALL = 0b1101, 1 << 9 | 1 << 5, (1 << 15) - 1
"""Rights below a folder: to run and read files and to list folders; to make sockets and delete files; all."""
OF_FILES = 1 << 14 | 0b111
"""Those of them that a single file can have: to run, write, read, and cut it short."""
SINCE_VERSION = {1: 13, 2: 14}
"""How many rights the first versions of Landlock know; later ones 15."""
TCP = 0b11
"""To listen, and to connect."""

network_refused = ""
"""Why this process still has a network; set by the guard."""


def explain_network_access(tick: object = None) -> str:
    """Return, in a worker, why it has a network; "" if it has none."""
    return network_refused


def leave_host_network() -> str:
    """Move this process to its own network namespace, without any network. Return why that failed, "" if it worked.

    If possible it also gets its own user namespace, from which memory and environment of the user's other processes are hidden.
    Users and groups keep their numbers, so that files stay readable. Only for a process with one thread.
    """
    if sys.platform != "linux":
        return "only Linux has namespaces"
    libc = ctypes.CDLL(None, use_errno=True)
    waiting, ready = os.pipe()
    process, helper = os.getpid(), os.fork()
    if helper == 0:
        os.close(ready)
        if os.read(waiting, 1):
            map_user_and_group_ids(process)
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


def map_user_and_group_ids(process: int) -> None:
    """Give users and groups the same numbers in the user namespace of `process`: all of them, or at least our own."""
    proc = Path(f"/proc/{process}")
    for kind, own in (("uid", os.geteuid()), ("gid", os.getegid())):
        everyone = "".join(
            f"{line.split()[0]} {line.split()[0]} {line.split()[2]}\n" for line in _read_lines(f"/proc/self/{kind}_map")
        )
        try:
            (proc / f"{kind}_map").write_text(everyone)
        except PermissionError:
            with suppress(OSError):
                if kind == "gid":
                    (proc / "setgroups").write_text("deny")
                (proc / f"{kind}_map").write_text(f"{own} {own} 1")


def _read_lines(path: str) -> list[str]:
    return Path(path).read_text().splitlines()


def limit_process_resources(memory_mb: int) -> None:
    """Limit what this process and each process that it starts may use.

    The parent enforces limits.memory_mb by polling. This limit stops a single allocation of gigabytes.
    """
    for what, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_DATA, (memory_mb + RESERVED_MB) * MIB),
        (resource.RLIMIT_FSIZE, memory_mb * MIB),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
    ):
        hard = resource.getrlimit(what)[1]
        value = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (value, value))


def can_limit_files() -> bool:
    """Return whether the kernel has Landlock."""
    return int(ctypes.CDLL(None).syscall(LANDLOCK_CREATE, None, 0, 1)) > 0


def limit_files(rights: Mapping[str, int]) -> None:
    """Keep this process, and those that it starts, from all files but those at and below some places, as far as these are there.

    Since its fourth version Landlock keeps them from TCP, too.

    Raises:
        OSError: the kernel has no Landlock, or does not give it to this process.
    """
    libc = ctypes.CDLL(None, use_errno=True)

    def call(number: int, *arguments: object) -> int:
        result: int = libc.syscall(number, *arguments)
        if result < 0:
            raise OSError(ctypes.get_errno(), "the kernel does not limit files (Landlock)")
        return result

    version = call(LANDLOCK_CREATE, None, 0, 1)
    handled = (1 << SINCE_VERSION.get(version, 15)) - 1
    asked = struct.pack("=QQ", handled, TCP) if version >= 4 else struct.pack("=Q", handled)
    rules = call(LANDLOCK_CREATE, asked, len(asked), 0)
    for path, allowed in rights.items():
        if os.path.exists(path):
            place = os.open(path, os.O_PATH | os.O_CLOEXEC)
            kept = allowed & handled & (MAY_ALL if os.path.isdir(path) else OF_FILES)
            call(LANDLOCK_ADD, rules, 1, struct.pack("=Qi", kept, place), 0)
            os.close(place)
    libc.prctl(PR_SET_NO_NEW_PRIVS, ctypes.c_ulong(1), 0, 0, 0)
    call(LANDLOCK_RESTRICT, rules, 0)
    os.close(rules)


def drop_privileges() -> None:
    """Drop all capabilities except reading and writing files, and make sure that no program regains them."""
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(PR_SET_NO_NEW_PRIVS, ctypes.c_ulong(1), 0, 0, 0)
    header = (ctypes.c_uint32 * 2)(CAPABILITIES_VERSION, 0)
    sets = (ctypes.c_uint32 * 6)()
    libc.capget(header, sets)
    kept = CAP_DAC_READ_SEARCH | CAP_DAC_OVERRIDE if os.geteuid() == 0 else 0
    effective, permitted = sets[0] & kept, sets[1] & kept
    if libc.capset(header, (ctypes.c_uint32 * 6)(effective, permitted, 0, 0, 0, 0)) != 0:
        raise OSError(ctypes.get_errno(), "capabilities cannot be dropped")
