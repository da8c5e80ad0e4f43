import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from schemas.options.sections import LimitOptions
from tasks.workers.confinement import explain_network_access
from tasks.workers.pool import run_in_new_worker
from tests.tasks.workers import worker_functions as work

LIMITS = LimitOptions(workers=1)
ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def network_refused() -> str:
    refused: str = run_in_new_worker(explain_network_access, (), LIMITS)
    return refused


@pytest.fixture
def port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        assert work.connect(server.getsockname()[1], lambda _: None) == "connected"
        yield server.getsockname()[1]


@pytest.mark.parametrize("function", [work.connect, work.connect_by_a_program])
def test_a_worker_reaches_no_network_nor_does_what_it_starts(function: Any, port: int, network_refused: str) -> None:
    if network_refused:
        pytest.skip(network_refused)
    assert run_in_new_worker(function, (port,), LIMITS) == "Network is unreachable"


def test_a_worker_cannot_read_the_secrets_of_the_process_that_keeps_it(network_refused: str) -> None:
    if network_refused:
        pytest.skip(network_refused)
    assert run_in_new_worker(work.read_environment, (os.getpid(),), LIMITS) == "Permission denied"


def test_a_worker_has_no_privileges_and_gets_none() -> None:
    found = run_in_new_worker(work.confined, (), LIMITS)
    assert found["NoNewPrivs"] == "1"
    assert int(found["CapEff"], 16) & ~0b110 == int(found["CapPrm"], 16) & ~0b110 == 0


def test_a_worker_reads_and_owns_files_as_its_user_does(tmp_path: Path) -> None:
    private = tmp_path / "private"
    private.write_text("mine")
    private.chmod(0o600)
    assert run_in_new_worker(work.owner_of, (str(private),), LIMITS) == [os.getuid(), os.getgid(), os.getuid(), "mine"]


def test_a_program_can_be_kept_from_all_files_but_its_own(tmp_path: Path, port: int) -> None:
    for name in ("mine", "others"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.txt").write_text(name)
    found = run_in_new_worker(work.use_files_within_limits, (str(tmp_path / "mine"), str(tmp_path / "others"), port), LIMITS)
    assert found == ["mine", "Permission denied", "Permission denied", "Permission denied"]


REFUSED = """
import threading, time
from tasks.workers import confinement
confinement.drop_privileges()
threading.Thread(target=time.sleep, args=(5,), daemon=True).start()
print(confinement.leave_host_network())
"""


def test_where_the_kernel_refuses_namespaces_it_is_said_why() -> None:
    run = subprocess.run([sys.executable, "-c", REFUSED], cwd=ROOT, capture_output=True, text=True, check=True)
    said, _, why = run.stdout.strip().partition(": ")
    assert said == "the kernel refuses namespaces to this user"
    assert why in ("Invalid argument", "Operation not permitted"), "a second thread, or what refuses them here anyway"


def why_others_get_none() -> str:
    """Return why the kernel refuses namespaces to users other than root, as in a chroot; "" if it allows them."""
    asked = subprocess.run(["unshare", "--user", "--net", "true"], capture_output=True, text=True, user=1234, check=False)
    return asked.stderr.strip()


OTHER_USER = """
import ctypes, os, socket, sys
from tasks.workers import confinement
os.setgroups([])
os.setgid(1234)
os.setuid(1234)
ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)  # as after an exec; a change of user has made the process undumpable
print(confinement.leave_host_network())
confinement.limit_process_resources(256)
confinement.drop_privileges()
print(os.getuid(), os.getgid())
socket.socket().connect(("127.0.0.1", int(sys.argv[1])))
"""


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become another user")
def test_another_user_has_no_network_either_in_any_locale(port: int) -> None:
    if refused := why_others_get_none():
        pytest.skip(refused)
    command = [sys.executable, "-c", OTHER_USER, str(port)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env={"LANG": "C"})
    assert run.stdout == "\n1234 1234\n"
    assert "Network is unreachable" in run.stderr
