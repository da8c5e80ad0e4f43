"""The inside of a worker process: a guard that survives every crash, and the worker that it forks.

thread of the pool ── guard ── worker ── processes that the worker starts, such as tesseract

The guard runs only code of this module. It ends all processes below it, orphans included, and removes their temporary files when
the worker dies, when the pool's thread asks for it (SIGTERM), or when that thread has ended.
"""

import ctypes
import faulthandler
import gc
import os
import signal
import socket
import sys
import tempfile
import traceback
from contextlib import suppress
from pathlib import Path

from tasks.workers import confinement
from tasks.workers.environment import GARBAGE_THRESHOLD

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
HANDLED_SIGNALS = {signal.SIGTERM, signal.SIGCHLD}


def main() -> None:
    """Guard one worker: `python -m tasks.workers.main FD PARENT MIB`.

    FD is the file descriptor of its connection, PARENT the process that must stay alive, MIB is limits.memory_mb.
    """
    descriptor, parent, memory_mb = map(int, sys.argv[1:])
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.pthread_sigmask(signal.SIG_BLOCK, HANDLED_SIGNALS)
    set_process_attribute(PR_SET_CHILD_SUBREAPER, 1)
    confinement.network_refused = confinement.leave_host_network()
    end_with_parent(parent, signal.SIGTERM)
    with tempfile.TemporaryDirectory(prefix=make_scratch_prefix(os.getpid()), ignore_cleanup_errors=True) as scratch:
        guard, worker = os.getpid(), os.fork()
        if worker == 0:
            run_worker(descriptor, guard, scratch, memory_mb)
        os.close(descriptor)
        status = wait_for_worker(worker)
        kill_descendants()
    exit_with_status_of(status)


def make_scratch_prefix(guard: int) -> str:
    """Return how the name of the folder begins that holds the temporary files of the process `guard` and those below it."""
    return f"pagemill-worker-{guard}-"


def set_process_attribute(option: int, value: int) -> None:
    """Set an attribute of this process by prctl(2), where there is one."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, ctypes.c_ulong(value), 0, 0, 0)


def end_with_parent(parent: int, how: signal.Signals) -> None:
    """Make the kernel send `how` to this process when the thread that started it ends."""
    set_process_attribute(PR_SET_PDEATHSIG, how)
    if os.getppid() != parent:
        os._exit(1)


def wait_for_worker(worker: int) -> int:
    """Wait until the worker ends or SIGTERM comes, and reap its children. Return its wait status, 0 for SIGTERM."""
    while signal.sigwait(HANDLED_SIGNALS) != signal.SIGTERM:
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                if ended[0] == worker:
                    return ended[1]
    return 0


def kill_descendants() -> None:
    """Kill all processes below this one until none is left. Orphans among them have become its children."""
    import psutil

    while descendants := psutil.Process().children(recursive=True):
        for process in descendants:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        with suppress(ChildProcessError):
            os.waitpid(-1, 0)


def exit_with_status_of(status: int) -> None:
    """End this process as the worker ended: the same exit code, or the same signal."""
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        if -code != signal.SIGKILL:
            signal.signal(-code, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {-code})
        os.kill(os.getpid(), -code)
    os._exit(code)


def run_worker(descriptor: int, guard: int, scratch: str, memory_mb: int) -> None:
    """Run as the worker: serve the connection until it ends. This function does not return."""
    gc.set_threshold(GARBAGE_THRESHOLD)
    try:
        confinement.limit_process_resources(memory_mb)
        confinement.drop_privileges()
        end_with_parent(guard, signal.SIGKILL)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, HANDLED_SIGNALS)
        volunteer_for_oom_killer()
        faulthandler.enable()
        os.environ["TMPDIR"] = tempfile.tempdir = scratch
        from tasks.workers.serving import serve_until_closed  # it loads Arrow, which the guard must not

        with socket.socket(fileno=descriptor) as connection, suppress(EOFError):
            serve_until_closed(connection)
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def volunteer_for_oom_killer() -> None:
    """Ask the kernel to end this process first when the machine is out of memory."""
    score = Path("/proc/self/oom_score_adj")
    if score.exists():
        score.write_text("1000")


if __name__ == "__main__":
    main()
