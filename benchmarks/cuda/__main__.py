"""Measure what a GPU makes of Pagemill, on a machine without package registries too.

`make bench NAME=cuda` does it here, and the same by hand elsewhere:

    python -m benchmarks.cuda prepare CARRIED       # where Pagemill is set up: the model in 16 bits and some wheels, 47 MiB
    python -m benchmarks.cuda measure --to RESULTS  # there, about four minutes

It needs Python 3.12, torch 2.11, transformers 5.17, tokenizers, safetensors, sentence-transformers, pyarrow, numpy, Pillow,
psutil, markdown-it-py and the folder CARRIED, and reaches no network. The whole run on such a machine, in this project's folder:

    python3 -m pip install -q --no-index --no-deps --target /tmp/site CARRIED/wheels/*.whl
    export PYTHONPATH=.:/tmp/site:CARRIED PYTHONUNBUFFERED=1 HF_HUB_OFFLINE=1 TOKENIZERS_PARALLELISM=true
    timeout 470 python3 -m benchmarks.cuda measure --device cuda --seconds 420 --to RESULTS 2>RESULTS.log

RESULTS then holds cuda.json, with series for plots, and cuda.md, a table of every figure beside its bar; both are written after
each part. No part begins after `--seconds`. PARTS, in this order: embedding, equality, large, memory, figures, chain, processes
(A.1, A.2, A.1, A.3 to A.6). `--device cpu` runs everything at small sizes, to see that it runs; bars of speed do not count then.
The exit status is 0 if every part ran, whatever it measured, 1 if one failed, and 2 if there is no GPU.
"""

import argparse
import logging
import os
import platform
import shlex
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path

from benchmarks.cuda.card import Card, Cpu, Cuda
from benchmarks.cuda.prepare import prepare
from benchmarks.cuda.results import Results, table
from benchmarks.cuda.settings import FULL, SMALL, Setting
from benchmarks.report import say
from schemas.errors import InputError

PACKAGES = (
    "torch",
    "transformers",
    "tokenizers",
    "sentence-transformers",
    "safetensors",
    "pyarrow",
    "numpy",
    "pillow",
    "pydantic",
)


def main() -> int:
    """Prepare or measure, as the command line says; return the exit status."""
    given = _arguments()
    if given.command == "prepare":
        prepare(given.folder)
        return 0
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(message)s")
    began = time.monotonic()
    try:
        card = _card(given.device)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    small = given.small or card.device == "cpu"
    with tempfile.TemporaryDirectory() as folder:
        results = Results(_about(card, small), counts_speed=not small, to=given.to)
        setting = Setting(card, SMALL if small else FULL, Path(folder), results, ends=began + given.seconds)
        failed = run(setting, given.parts or [*parts()])
    results.about = {**results.about, "seconds": round(time.monotonic() - began)}
    results.write()
    say("\n" + "\n".join(table(results.rows)))
    return 1 if failed else 0


def parts() -> Mapping[str, Callable[[Setting], None]]:
    """Return what measures each part, in order."""
    from benchmarks.cuda import chain, embedding, figures, memory, processes

    return {
        "embedding": embedding.measure_embedding,
        "equality": embedding.measure_equality,
        "large": embedding.measure_large,
        "memory": memory.measure_memory,
        "figures": figures.measure_figures,
        "chain": chain.measure_chain,
        "processes": processes.measure_processes,
    }


def run(setting: Setting, names: list[str]) -> int:
    """Run parts one after the other, and write the results after each; return how many failed."""
    n_failed = 0
    for name in names:
        began = time.monotonic()
        if began > setting.ends:
            setting.results.add(name, "left out: no time", None)
            continue
        try:
            parts()[name](setting)
        except Exception as error:  # one part must not cost the results of the others: it is told, and the status says so
            traceback.print_exc()
            n_failed += 1
            setting.results.add(name, f"failed: {type(error).__name__}: {error}".partition("\n")[0], None)
        setting.results.series.setdefault("seconds of parts", []).append([name, time.monotonic() - began])
        setting.results.write()
    return n_failed


def _card(device: str) -> Card:
    """Return the device.

    Raises:
        InputError: a GPU is asked for, and there is none.
    """
    from tasks.embed.io.device import choose_device

    return Cpu() if choose_device(device) == "cpu" else Cuda()


def _about(card: Card, small: bool) -> dict[str, str | int]:
    cores = len(os.sched_getaffinity(0))
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    return {
        "device": card.name,
        "command": shlex.join(["python", "-m", "benchmarks.cuda", *sys.argv[1:]]),
        "sizes": "small" if small else "full",
        "cores": cores,
        "date": time.strftime("%Y-%m-%d"),
        "versions": f"Python {platform.python_version()}, {versions}",
    }


def _arguments() -> argparse.Namespace:
    given = argparse.ArgumentParser("python -m benchmarks.cuda", description=__doc__.partition("\n")[0])
    commands = given.add_subparsers(dest="command", required=True)
    making = commands.add_parser("prepare", help="fill a folder with what a bare machine lacks")
    making.add_argument("folder", type=Path)
    measuring = commands.add_parser("measure", help="measure, and print a table")
    measuring.add_argument("parts", nargs="*", metavar="PARTS", help=f"of {', '.join(parts())}; by default all")
    measuring.add_argument("--device", choices=["cuda", "cpu"], default="cuda")
    measuring.add_argument("--small", action="store_true", help="small sizes on a GPU too")
    measuring.add_argument("--seconds", type=float, default=420, help="after these no part begins")
    measuring.add_argument("--to", type=Path, help="folder for cuda.json and cuda.md")
    found = given.parse_args()
    if found.command == "measure" and (unknown := set(found.parts) - set(parts())):
        given.error(f"there is no part {', '.join(sorted(unknown))}: choose of {', '.join(parts())}")
    return found


if __name__ == "__main__":
    sys.exit(main())
