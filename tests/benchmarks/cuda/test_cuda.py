"""The measuring of a GPU, without one: on the CPU, and on a fake device whose memory can be taken."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pytest

from benchmarks.cuda import embedding, memory
from benchmarks.cuda.__main__ import parts, run
from benchmarks.cuda.card import GIB, Cpu
from benchmarks.cuda.models import operations
from benchmarks.cuda.results import Results, table
from benchmarks.cuda.settings import SMALL, Setting, Shape
from benchmarks.cuda.timeline import seconds_by_kind, spans
from tasks.embed.io import torch_engine
from tasks.embed.io.cpu import numpy_engine
from tests.tasks.embed.io.fake_devices import FakeCuda


class FakeCard(Cpu):
    """A GPU that takes batches of so many tokens as memory is left."""

    device: Literal["cuda", "cpu"] = "cuda"
    name = "fake"

    def __init__(self, gpu: FakeCuda) -> None:
        self.gpu, self.asked = gpu, list[int]()

    def take(self, leave: int) -> None:
        self.asked.append(leave)
        self.gpu.room = 600

    def give_back(self) -> None:
        self.gpu.room = 1 << 30

    def traced(self, call: Callable[[], Any], to: Path) -> bool:
        call()
        to.write_text(json.dumps({"traceEvents": EVENTS}))
        return True


EVENTS = [
    {"ph": "X", "cat": "kernel", "name": "void cutlass::Kernel2<cutlass_80_tensorop_f16_s16816gemm>", "ts": 0, "dur": 2},
    {"ph": "X", "cat": "kernel", "name": "fmha_cutlassF_f16_aligned_64x64_rf_sm80", "ts": 2, "dur": 1},
    {"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD (Pinned -> Device)", "ts": 1, "dur": 4},
    {"ph": "X", "cat": "kernel", "name": "vectorized_layer_norm_kernel", "ts": 8, "dur": 2},
    {"ph": "X", "cat": "cpu_op", "name": "aten::linear", "ts": 0, "dur": 99},
    {"ph": "M", "name": "process_name"},
]


def setting_on(card: Any, folder: Path, counts_speed: bool = False) -> Setting:
    return Setting(card, SMALL, folder, Results({"device": card.name}, counts_speed, folder / "results"))


@pytest.mark.slow
def test_everything_runs_on_a_cpu_and_no_bar_of_equality_is_missed(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "benchmarks.cuda", "measure", "--device", "cpu", "--to", str(tmp_path)]
    subprocess.run(command, check=True, timeout=500)
    told = json.loads((tmp_path / "cuda.json").read_text())
    assert {name for name, _ in told["series"]["seconds of parts"]} == {*parts()}
    assert [row for row in told["rows"] if row["met"] is False or row["what"].startswith("failed")] == []
    assert sum(row["met"] is True for row in told["rows"]) == 9
    assert (tmp_path / "cuda.md").read_text().count("\n| ") == len(told["rows"]) + 1


@pytest.mark.slow
def test_on_a_device_that_runs_out_of_memory_nothing_is_lost_and_batches_grow_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(numpy_engine, "FEW_TOKENS", 0)
    monkeypatch.setattr("tasks.embed.batching.PATIENCE", 4)
    card = FakeCard(FakeCuda().install(monkeypatch))
    setting = setting_on(card, tmp_path, counts_speed=True)
    assert run(setting, ["memory"]) == 0
    torch_engine._load.cache_clear()
    told = {row.what: row for row in setting.results.rows}
    assert [row for row in told.values() if row.met is False] == []
    assert card.asked == [GIB, memory.LITTLE]
    free, taken, back = (
        told[f"tokens of a batch, {when}"].value or 0 for when in ("all memory free", "taken meanwhile", "given back")
    )
    assert taken <= 600 < min(free, back)


def test_a_machine_without_a_gpu_says_so_in_a_line_and_exits_with_2() -> None:
    done = subprocess.run([sys.executable, "-m", "benchmarks.cuda", "measure"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("device = cuda, but torch finds no CUDA device (")
    assert done.stderr.count("\n") == 1


def test_a_part_that_fails_costs_no_other_part_its_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(setting: Setting) -> None:
        raise RuntimeError("no kernel\nmore of it")

    def measure(setting: Setting) -> None:
        setting.results.add("equality", "least cosine", 0.9, bar=0.9995, speed=False)

    monkeypatch.setattr(embedding, "measure_embedding", fail)
    monkeypatch.setattr(embedding, "measure_equality", measure)
    setting = setting_on(Cpu(), tmp_path)
    assert run(setting, ["embedding", "equality"]) == 1
    assert [(row.what, row.met) for row in setting.results.rows] == [
        ("failed: RuntimeError: no kernel", None),
        ("least cosine", False),
    ]
    assert "**no**" in (tmp_path / "results/cuda.md").read_text()


def test_no_part_begins_when_the_time_is_over(tmp_path: Path) -> None:
    setting = Setting(Cpu(), SMALL, tmp_path, Results({}, counts_speed=False), ends=0)
    assert run(setting, ["embedding"]) == 0
    assert [row.what for row in setting.results.rows] == ["left out: no time"]


def test_a_trace_is_told_by_kinds_and_gaps(tmp_path: Path) -> None:
    (tmp_path / "trace.json").write_text(json.dumps({"traceEvents": EVENTS}))
    seconds = seconds_by_kind(spans(tmp_path / "trace.json"))
    assert {kind: round(1e6 * spent) for kind, spent in seconds.items()} == {
        "matrix products": 2,
        "attention": 1,
        "copies": 4,
        "other kernels": 2,
        "gaps": 3,
    }


def test_bars_of_speed_count_on_a_gpu_only() -> None:
    for counts, met in ((True, False), (False, None)):
        results = Results({}, counts_speed=counts)
        results.add("embedding", "Pagemill", 5, "chunks a second", 20_000)
        assert results.rows[0].met is met
        assert "at least 20,000" in table(results.rows)[-1]


def test_operations_are_those_of_the_linear_layers_and_attention() -> None:
    shape = Shape(hidden=384, layers=6, heads=12, inner=1536)
    parameters = 6 * (4 * 384**2 + 2 * 384 * 1536)
    assert operations(shape, [128]) == 128 * 2 * parameters + 6 * 4 * 128**2 * 384
