"""Several processes on one device: two embed at once, and neither fails."""

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from benchmarks.cuda.engines import as_vectors, pagemill
from benchmarks.cuda.settings import Setting
from tasks.embed.io.tokenizer import PACKAGED

AT_ONCE = 2
MOST_SECONDS = 120
LEAST_COSINE = 0.999


def measure_processes(setting: Setting) -> None:
    """A.6: what two processes embed at once, beside what this one makes alone."""
    texts = setting.texts[: setting.sizes.process_texts]
    expected = as_vectors(pagemill(PACKAGED, setting.card)(texts))
    places = [setting.folder / f"process{n}" for n in range(AT_ONCE)]
    command = [sys.executable, "-m", "benchmarks.cuda.one_process", setting.card.device, str(len(setting.texts)), str(len(texts))]
    running = [subprocess.Popen([*command, str(place)], env=os.environ) for place in places]
    codes = _await_ends(running)
    setting.results.add("processes", "that failed", sum(code != 0 for code in codes), bar=0, at_most=True, speed=False)
    if any(codes):
        return
    rates, least = [], 1.0
    for place in places:
        told = np.load(place.with_suffix(".npz"))
        rates.append(len(texts) / float(told["seconds"]))
        least = min(least, float((told["vectors"] * expected).sum(axis=1).min()))
    setting.results.add("processes", "both together", sum(rates), "chunks a second")
    setting.results.add("processes", "least cosine to one alone", least, bar=LEAST_COSINE, speed=False)


def _await_ends(running: list["subprocess.Popen[bytes]"]) -> list[int]:
    """Wait for processes, and end those that take too long; return their codes."""
    ends = time.monotonic() + MOST_SECONDS
    for process in running:
        try:
            process.wait(max(0.0, ends - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
    return [process.wait() for process in running]


def embed_alone(device: str, n_texts: int, n_embedded: int, to: Path) -> None:
    """Embed the first of `n_texts` in this process, and write seconds and vectors. Both wait until each has a model."""
    from benchmarks.cuda.card import Cpu, Cuda
    from benchmarks.cuda.texts import drawn_texts

    card = Cuda() if device == "cuda" else Cpu()
    texts, own = drawn_texts(n_texts)[:n_embedded], pagemill(PACKAGED, card)
    own(texts[: n_embedded // 10])
    to.with_suffix(".ready").touch()
    ends = time.monotonic() + MOST_SECONDS / 2
    while len([*to.parent.glob("process*.ready")]) < AT_ONCE and time.monotonic() < ends:
        time.sleep(0.01)
    began = time.perf_counter()
    vectors = as_vectors(own(texts))
    np.savez(to, seconds=time.perf_counter() - began, vectors=vectors)
