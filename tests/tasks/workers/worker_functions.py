"""What the tests of the worker pool have workers do: good work, and every way to fail."""

import ctypes
import os
import pickle
import re
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import cast

from schemas.errors import DocumentError
from tasks.workers.confinement import MAY_ALL, MAY_READ, limit_files

Tick = Callable[[int], None]
MIB = 1024 * 1024
leaks: list[bytes] = []


def square(number: int, tick: Tick) -> int:
    tick(1)
    return number * number


def process_id(_: int, tick: Tick) -> int:
    return os.getpid()


def wait_for(path: str, tick: Tick) -> str:
    """Return when there is a file at `path`, without a sign of life before."""
    while not Path(path).exists():
        time.sleep(0.01)
    return path


def count(n: int, pause_seconds: float, tick: Tick) -> int:
    for done in range(1, n + 1):
        time.sleep(pause_seconds)
        tick(done)
    return n


def sleep(tick: Tick) -> None:
    time.sleep(1000)


def idle(seconds: float, tick: Tick) -> None:
    """Take time, and hardly any CPU time, as on a machine that is busy with other things."""
    time.sleep(seconds)


def compute(seconds: float, tick: Tick) -> None:
    """Take CPU time."""
    start = time.process_time()
    while time.process_time() - start < seconds:
        pass


def have_a_child_compute(tick: Tick) -> None:
    """Wait for a program that computes without end."""
    subprocess.run([sys.executable, "-c", "while True: pass"], check=False)


def backtrack(tick: Tick) -> None:
    """Hang in native code that holds the interpreter's lock."""
    re.match(r"(a+)+$", "a" * 100 + "b")


def chatter(tick: Tick) -> None:
    """Hang while writing without end."""
    while True:
        os.write(2, b"warning: nothing to see here\n" * 1000)


def devour(tick: Tick) -> None:
    """Take ever more memory, with signs of life."""
    taken = []
    while True:
        taken.append(b"x" * MIB)
        tick(len(taken))


def take_at_once(mebibytes: int, tick: Tick) -> int:
    return len(bytearray(mebibytes * MIB))


def fill_a_file(mebibytes: int, tick: Tick) -> None:
    with tempfile.TemporaryFile() as file:
        file.truncate((mebibytes - 1) * MIB)
        file.seek(0, os.SEEK_END)
        file.write(bytes(2 * MIB))


def open_files(n: int, tick: Tick) -> None:
    [os.open("/dev/null", os.O_RDONLY) for _ in range(n)]


def confined(tick: Tick) -> dict[str, str]:
    """Return what the kernel says of this process's privileges."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


def connect(port: int, tick: Tick) -> str:
    """Return what becomes of a connection to a server on loopback."""
    try:
        socket.create_connection(("127.0.0.1", port), 5).close()
    except OSError as error:
        return f"{error.strerror}"
    return "connected"


def connect_by_a_program(port: int, tick: Tick) -> str:
    """Return the same of a program that the worker starts."""
    code = f"from tests.tasks.workers import worker_functions as work; print(work.connect({port}, None))"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False).stdout.strip()


def read_environment(pid: int, tick: Tick) -> str:
    """Return what becomes of looking into another process."""
    try:
        return Path(f"/proc/{pid}/environ").read_text()
    except OSError as error:
        return f"{error.strerror}"


def owner_of(path: str, tick: Tick) -> list[int | str]:
    found = Path(path).stat()
    return [found.st_uid, found.st_gid, os.getuid(), Path(path).read_text()]


def keep(mebibytes: int, tick: Tick) -> int:
    """Leave memory taken when the work is done, as a leak does."""
    leaks.append(b"x" * (mebibytes * MIB))
    return os.getpid()


def crash(tick: Tick) -> None:
    os.write(2, b"about to fall\n")
    ctypes.string_at(0)


def die(how: int, tick: Tick) -> None:
    os.kill(os.getpid(), how)


def leave(code: int, tick: Tick) -> None:
    os._exit(code)


def ask_to_exit(tick: Tick) -> None:
    sys.exit("enough")


def out_of_memory(tick: Tick) -> None:
    raise MemoryError


def refuse(message: str, tick: Tick) -> None:
    raise DocumentError(message)


class OddError(DocumentError):
    """An error of a kind that only this module knows."""

    def __init__(self, first: str, second: str) -> None:
        super().__init__(first + second)


def refuse_oddly(tick: Tick) -> None:
    raise OddError("one", "two")


def fail(error: Exception, note: str, tick: Tick) -> None:
    error.add_note(note)
    raise error


def divide(tick: Tick) -> float:
    return 1 / 0


def give_lock(tick: Tick) -> object:
    return threading.Lock()


class Spell:
    """What does something when it is unpickled: it makes a folder."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Callable[[str], None], tuple[str]]:
        return os.mkdir, (self.path,)


def give(value: object, tick: Tick) -> object:
    return value


def give_spell(path: str, tick: Tick) -> Spell:
    return Spell(path)


def cast_spell(path: str, tick: Tick) -> None:
    """Be a worker that a hostile document took over: answer with a pickle."""
    say(pickle.dumps(Spell(path)), True, tick)


def say(answer: bytes, framed: bool, tick: Tick) -> None:
    """Write any bytes to the pool, and hang."""
    connection = cast("partial[None]", tick).args[0]
    connection.sendall(struct.pack("<Q", len(answer)) + answer if framed else answer)
    time.sleep(1000)


def environment(name: str, tick: Tick) -> str | None:
    return os.environ.get(name)


def all_environment(tick: Tick) -> dict[str, str]:
    return dict(os.environ)


def have_a_child_devour(mebibytes: int, tick: Tick) -> None:
    """Wait for a program that takes so much memory."""
    subprocess.run([sys.executable, "-c", f"taken = b'x' * ({mebibytes} << 20); import time; time.sleep(1000)"], check=False)


def talk(tick: Tick) -> None:
    sys.stdout.write("from a worker's stdout\n")
    sys.stdout.flush()
    os.write(2, b"from a worker's stderr\n")


def start_child(report: str, daemonise: bool, then: Callable[[Tick], None], tick: Tick) -> None:
    """Start a long-living subprocess, in a session of its own if `daemonise`, write its id to `report`, and `then` fail."""
    child = subprocess.Popen(["sleep", "1000"], start_new_session=daemonise)
    scratch = tempfile.mkdtemp()
    unfinished = Path(f"{report}.part")
    unfinished.write_text(f"{child.pid} {os.getpid()} {scratch}")
    unfinished.rename(report)
    then(tick)


def use_files_within_limits(mine: str, others: str, port: int, tick: Tick) -> list[str]:
    """Return what comes of reading a file of one's own and another, of writing there, and of a connection, by programs."""
    limits = partial(limit_files, {"/usr": MAY_READ, "/bin": MAY_READ, "/lib": MAY_READ, "/lib64": MAY_READ, mine: MAY_ALL})
    tries = (f"cat {mine}/a.txt", f"cat {others}/a.txt", f"echo x > {others}/b.txt", f"exec 3<>/dev/tcp/127.0.0.1/{port}")
    ended = [subprocess.run(["bash", "-c", one], capture_output=True, text=True, check=False, preexec_fn=limits) for one in tries]
    return [one.stdout or one.stderr.strip().splitlines()[-1].rpartition(": ")[2] for one in ended]
