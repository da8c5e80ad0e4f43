"""What a command and everything that it starts connects to and writes, as strace sees it."""

import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from ipaddress import ip_address
from pathlib import Path
from typing import NamedTuple

STRACE = shutil.which("strace")
CALLS = "connect,sendto,sendmsg,sendmmsg,openat,open,creat,mkdir,mkdirat,rename,renameat,renameat2,symlink,symlinkat,link,linkat"
REFUSED_NAMESPACES = ("-e", "inject=unshare:error=EPERM")
"""Has the kernel refuse namespaces, as in a container: workers then keep the machine's network."""

PEER = re.compile(
    r'sin_port=htons\((\d+)\), sin_addr=inet_addr\("([^"]+)"\)|sin6_port=htons\((\d+)\).*?inet_pton\(AF_INET6, "([^"]+)"'
)
LINE = re.compile(r"(\d+) +(?:<\.\.\. (\w+) resumed>|(\w+)\()(.*)")
PLACE = re.compile(r'(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"((?:[^"\\]|\\.)*)"')
WRITING = re.compile(r"O_WRONLY|O_RDWR|O_CREAT")
UNFINISHED = "<unfinished ...>"


class Trace(NamedTuple):
    """Peers that were connected to, or sent datagrams, as (address, port); paths that were written or made."""

    code: int
    said: str
    peers: set[tuple[str, int]]
    written: set[Path]

    def strangers(self) -> set[tuple[str, int]]:
        """Return the peers that are not this machine: 0.0.0.0, to which getaddrinfo points a socket, is its own loopback."""
        return {peer for peer in self.peers if not ((at := ip_address(peer[0])).is_loopback or at.is_unspecified)}

    def elsewhere(self, allowed: Iterable[Path]) -> set[Path]:
        """Return the paths that were written outside the folders of `allowed`, and are not on the way to one."""
        folders = [Path("/dev"), Path("/proc"), *allowed]
        within = {at for at in self.written for folder in folders if at.is_relative_to(folder) or folder.is_relative_to(at)}
        return self.written - within


def traced(command: list[str], log: Path, environment: dict[str, str], folder: Path, *more: str) -> Trace:
    """Run a command in `folder` under strace, whose log is written to `log`; `more` are options of strace."""
    strace = [
        STRACE or "strace",
        "-f",
        "--seccomp-bpf",
        "-qq",
        "-y",
        "-s",
        "4096",
        "-o",
        str(log),
        "-e",
        f"trace={CALLS},unshare",
        *more,
    ]
    done = subprocess.run([*strace, *command], env=environment, cwd=folder, capture_output=True, text=True, timeout=500)
    return trace_of(log, folder, done.returncode, done.stdout + done.stderr)


def trace_of(log: Path, folder: Path, code: int = 0, said: str = "") -> Trace:
    """Return what a log of strace shows; a path that nothing says more of is one in `folder`."""
    peers, written = set[tuple[str, int]](), set[Path]()
    for name, arguments in _calls(log.read_text("utf-8", "replace").splitlines()):
        if name.startswith(("connect", "send")):
            peers |= {(found[2] or found[4], int(found[1] or found[3])) for found in PEER.finditer(arguments)}
        elif " = -1 E" not in arguments and (not name.startswith("open") or WRITING.search(arguments)):
            written |= {(folder / place).resolve() for place in _last_place(arguments)}
    return Trace(code, said, peers, written)


def _calls(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield name and arguments, result included, of each system call; those that strace shows in two parts are joined."""
    begun = dict[str, str]()
    for line in lines:
        if not (found := LINE.match(line)):
            continue
        pid, resumed, name, rest = found.groups()
        if rest.endswith(UNFINISHED):
            begun[pid] = rest.removesuffix(UNFINISHED)
        else:
            yield resumed or name, (begun.pop(pid, "") if resumed else "") + rest


def _last_place(arguments: str) -> list[Path]:
    """Return the last path of a call's arguments, if there is one: what is opened, made, or the new name."""
    return [Path(found[1] or "", found[2]) for found in PLACE.finditer(arguments.rpartition(" = ")[0])][-1:]
