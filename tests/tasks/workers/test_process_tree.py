import subprocess
import sys
from typing import Any

import pytest

from tasks.workers import process_tree
from tasks.workers.process_tree import measure_process_tree_usage

PIPES: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
PARENT = """
import subprocess, sys
child = "taken = b'x' * (200 << 20); sum(range(10_000_000)); print(flush=True); input()"
subprocess.run([sys.executable, "-c", child])
"""


@pytest.mark.parametrize("kernel_lists_children", [True, False])
def test_what_children_use_counts(kernel_lists_children: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_tree, "LISTS_CHILDREN", kernel_lists_children and process_tree.LISTS_CHILDREN)
    with subprocess.Popen([sys.executable, "-c", PARENT], **PIPES) as process:
        assert process.stdout
        process.stdout.readline()
        usage = measure_process_tree_usage(process.pid)
        process.communicate(b"\n")
    assert 200 < usage.memory_mib < 260
    assert usage.cpu_seconds >= 0.1


def test_the_root_counts_for_time_only() -> None:
    with subprocess.Popen([sys.executable, "-c", "sum(range(10_000_000)); print(flush=True); input()"], **PIPES) as process:
        assert process.stdout
        process.stdout.readline()
        assert measure_process_tree_usage(process.pid).memory_mib == 0
        assert measure_process_tree_usage(process.pid).cpu_seconds > 0
        process.communicate(b"\n")


def test_a_process_that_has_ended_uses_nothing() -> None:
    process = subprocess.Popen(["true"])
    process.wait()
    assert measure_process_tree_usage(process.pid) == (0, 0)
