"""What memory a process may still take."""

from pathlib import Path

import psutil
import pytest

from tasks.workers.memory import measure_available_memory


def test_without_a_limit_it_is_what_the_system_has(tmp_path: Path) -> None:
    unlimited = tmp_path / "memory.max"
    unlimited.write_text("max\n")
    for limit in (unlimited, tmp_path / "none"):
        assert measure_available_memory(limit) == pytest.approx(psutil.virtual_memory().available, rel=0.2)


def test_a_container_leaves_what_its_limit_leaves_beside_this_process(tmp_path: Path) -> None:
    limit, own = tmp_path / "memory.max", psutil.Process().memory_info().rss
    limit.write_text(f"{own + 64 * 2**20}\n")
    assert 0 < measure_available_memory(limit) <= 96 * 2**20
    limit.write_text("1048576\n")
    assert measure_available_memory(limit) == 0
