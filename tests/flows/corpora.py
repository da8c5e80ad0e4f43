"""Small sources, and what can be compared of the corpora that they make."""

import hashlib
import json
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from schemas.corpus import Corpus
from schemas.tables.generations import VERSIONED
from tasks.store import published
from tasks.store.packs import list_packs

VOLATILE = {"run_id", "vector"}
HEARD_SECONDS = 60.0

STORIES = {
    "notes.txt": "The heron stands in the river. It waits for fish.\n\nIn winter the river freezes, and the heron leaves.",
    "guide.md": "# Setting up\n\nPut the pump on level ground. Fill it with water.\n\n## Care\n\nClean the filter every month.",
    "sub/plan.md": "# Plan\n\n| month | work |\n|---|---|\n| May | dig |\n| June | plant |\n\nThe garden opens in July.",
    "sub/letter.txt": "Dear Ada, the engine runs. It took three years and 412 gears. Yours, Charles.",
    "history.txt": "The mill was built in 1804. A flood took its wheel in 1866. It ground corn until 1931.",
    "empty.txt": "",
}


def draw_source(folder: Path) -> None:
    """Write the small documents, and one PDF of two pages."""
    for name, text in STORIES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    draw_pdf(folder / "report.pdf", ["Rainfall rose to 812 millimetres in the valley.", "The reservoir was full by March."])


def draw_pdf(path: Path, pages: list[str]) -> None:
    """Write a PDF with one line of text on each page."""
    import pymupdf

    document = pymupdf.open()
    for text in pages:
        document.new_page().insert_text((72, 96), text, fontsize=12)
    path.parent.mkdir(parents=True, exist_ok=True)
    document.save(path, no_new_id=True)


def age(source: Path) -> None:
    """Make every file old enough for its time to be trusted."""
    for path in source.rglob("*"):
        if path.is_file():
            os.utime(path, (path.stat().st_atime - 60, path.stat().st_mtime - 60))


def rows(corpus: Path, table: str, live: published.Generation | None = None) -> list[dict[str, Any]]:
    """Return a generation's rows of a table, of the live one by default, sorted by their content."""
    live = live or published.read_newest_generation(Corpus(str(corpus)))
    assert live is not None
    found = published.read_columns(Corpus(str(corpus)), live, table, None).to_pylist()
    return sorted(found, key=lambda row: json.dumps(_stable(row), sort_keys=True, default=str))


def paths(corpus: Path, table: str = "documents") -> set[str]:
    """Return the paths that a table of the live generation names."""
    return {row["path"] for row in rows(corpus, table)}


def by_path(corpus: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the chunks of each document."""
    found: dict[str, list[dict[str, Any]]] = {}
    for row in rows(corpus, "chunks"):
        found.setdefault(row["path"], []).append(row)
    return found


def changes(outcome: Mapping[str, Any]) -> dict[str, int]:
    """Return how many documents of each kind of change a refresh found; those that stayed as they were too."""
    kinds = ("added", "changed", "metadata", "moved", "retried", "removed", "unchanged", "rejected")
    return {kind: outcome["counts"][kind] for kind in kinds if outcome["counts"].get(kind)}


def computed(outcome: dict[str, Any]) -> dict[str, int]:
    """Return how many documents each step of a refresh computed."""
    return {step: int(done["computed"]) for step, done in outcome["steps"].items()}


def _stable(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in VOLATILE}


def digest(corpus: Path) -> dict[str, str]:
    """Return a digest of each table's rows, without run ids and vectors."""
    live = published.read_newest_generation(Corpus(str(corpus)))
    tables = {name: [_stable(row) for row in rows(corpus, name, live)] for name in VERSIONED}
    return {name: hashlib.sha256(json.dumps(found, default=str).encode()).hexdigest() for name, found in tables.items()}


def vectors(corpus: Path) -> dict[str, Any]:
    """Return the vector of each chunk."""
    return {row["chunk_id"]: np.asarray(row["vector"]) for row in rows(corpus, "chunks")}


def assert_same_vectors(one: Path, other: Path) -> None:
    """Vectors may differ in their last bits with the batches they were computed in."""
    ours, theirs = vectors(one), vectors(other)
    assert ours.keys() == theirs.keys()
    assert all(float(ours[name] @ theirs[name]) >= 0.9999 for name in ours)


def versions(corpus: Path) -> dict[str, int]:
    """Return how many versions each table's folder holds."""
    return {path.name: len(list((path / "_versions").glob("*.manifest"))) for path in corpus.glob("*.lance")}


def staged(corpus: Path, step: str) -> set[str]:
    """Return the digests of the contents that a step has staged."""
    packs = [pack for folder in (corpus / ".pagemill/staging" / step).glob("*") for pack in list_packs(folder)]
    return {name.rpartition(":")[2] for pack in packs for name in pack.names.to_pylist()}


def task_runs(run_id: str) -> list[Any]:
    """Return the task runs of a flow run that has ended, once the server has taken note of them all: it hears of them later."""
    from uuid import UUID

    from prefect.client.orchestration import get_client
    from prefect.client.schemas.filters import FlowRunFilter, FlowRunFilterId

    found: list[Any] = []
    deadline = time.monotonic() + HEARD_SECONDS
    with get_client(sync_client=True) as client:
        while time.monotonic() < deadline:
            before = found
            found = client.read_task_runs(flow_run_filter=FlowRunFilter(id=FlowRunFilterId(any_=[UUID(run_id)])))
            if found and len(found) == len(before) and all(run.state and run.state.is_final() for run in found):
                break
            time.sleep(0.5)
    return found
