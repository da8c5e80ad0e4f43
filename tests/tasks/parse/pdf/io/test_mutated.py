"""Damaged PDFs in confined workers: each is read or refused, and no worker dies of it.

TEST_FUZZ is the number of files, TEST_SEED draws others, and PAGEMILL_BENCH adds the robustness set of a
benchmark kit.
"""

import os
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pymupdf

from schemas.errors import DocumentError, LimitError
from schemas.options.sections import LimitOptions, ParseOptions
from tasks.parse.io.parse import parse_staged
from tasks.workers.pool import WorkerPool
from tests.tasks import drawn

N_FILES = int(os.environ.get("TEST_FUZZ", "40"))
SEED = int(os.environ.get("TEST_SEED", "20261126"))
BATCH = 200
LARGEST = 300_000
"""Bytes of the largest file that is mutated."""
OBJECT = re.compile(rb"\d+ 0 obj\b.*?\bendobj", re.DOTALL)


def sources() -> list[bytes]:
    """Return PDFs, each as it is and with its streams unpacked, so that damage reaches what is drawn on its pages."""
    found = [drawn.ruled_table(), drawn.two_columns(), drawn.with_figure()]
    if kit := os.environ.get("PAGEMILL_BENCH"):
        paths = sorted(Path(kit, "robustness").rglob("*.pdf"))
        found += [path.read_bytes() for path in paths if 0 < path.stat().st_size <= LARGEST]
    return [*found, *(unpacked for data in found for unpacked in _unpacked(data))]


def _unpacked(data: bytes) -> Iterator[bytes]:
    """Yield the file with its streams unpacked, if PyMuPDF can write it."""
    try:
        with pymupdf.open("pdf", data) as document:
            yield document.tobytes(expand=255)
    except Exception:  # the set has files that cannot be opened: they are mutated as they are
        return


def mutated(data: bytes, chance: random.Random) -> bytes:
    """Return the file with bytes changed, with an object missing, or without its end."""
    kind, objects = chance.randrange(4), list(OBJECT.finditer(data))
    if kind == 0:
        return data[: chance.randrange(len(data))]
    if kind == 1 and objects:
        dropped = chance.choice(objects)
        return data[: dropped.start()] + data[dropped.end() :]
    changed = bytearray(data)
    for _ in range(chance.choice((1, 5, 50))):
        changed[chance.randrange(len(changed))] = chance.choice(b"\x00 0159-<>()[]/" + bytes([chance.randrange(256)]))
    return bytes(changed)


def is_clean(outcome: object) -> bool:
    """Return whether a document was read or refused, by a worker that goes on."""
    if isinstance(outcome, LimitError):
        return not str(outcome).startswith("the worker")  # that of a crash says how the worker ended
    return isinstance(outcome, pa.Table | DocumentError)


def test_no_worker_dies_of_a_damaged_pdf(tmp_path: Path) -> None:
    chance, options, n_read = random.Random(SEED), ParseOptions(ocr=False), 0
    given = sources()
    with WorkerPool(LimitOptions(workers=2, page_seconds=20)) as pool:
        for start in range(0, N_FILES, BATCH):
            paths = [tmp_path / f"{n}.pdf" for n in range(start, min(start + BATCH, N_FILES))]
            contents = [drawn.content_of(path, mutated(chance.choice(given), chance)) for path in paths]
            for index, outcome in pool.map(parse_staged, [(content, options) for content in contents]):
                assert is_clean(outcome), f"seed {SEED}, {paths[index]}: {outcome!r}"
                n_read += isinstance(outcome, pa.Table) and len(outcome["pages"][0]) > 0
                paths[index].unlink()
    assert 0 < n_read < N_FILES
