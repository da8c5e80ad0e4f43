"""What one changed document costs a corpus, and what thirty nights do to the room that it takes."""

import shutil
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

from benchmarks.growth.notes import write_note
from benchmarks.refresh.processes import pagemill
from schemas.corpus import Corpus
from tasks.store import published

MEGABYTE = 1e6


class OneChange(NamedTuple):
    """A refresh after one document changed: megabytes of new files, those of the document's rows, seconds, MiB."""

    documents: int
    written_mb: float
    own_mb: float
    seconds: float
    publishing_seconds: float
    peak_mib: float


def files_below(folder: Path) -> dict[tuple[str, int], int]:
    """Return the size of each file by its name and the time when it was written: one that is replaced counts as new."""
    found = ((path, path.stat()) for path in folder.rglob("*") if path.is_file())
    return {(str(path), stat.st_mtime_ns): stat.st_size for path, stat in found}


def refresh_one(source: Path, notes: Path, corpus: Path, model: Path, night: int, documents: int) -> OneChange:
    """Change one of the `notes` in a source of so many documents, and refresh."""
    write_note(notes, night, night)
    before = files_below(corpus)
    cost = pagemill("refresh", source, "--corpus", corpus, "--embedder", model)
    new = [size for known, size in files_below(corpus).items() if known not in before]
    assert cost.printed["counts"]["changed"] == 1, cost.printed["counts"]
    publishing = sum(seconds for phase, seconds in cost.printed["seconds"].items() if not phase.startswith("parse"))
    return OneChange(
        documents, sum(new) / MEGABYTE, own_rows(corpus) / MEGABYTE, cost.seconds, round(publishing, 2), cost.peak_mib
    )


def own_rows(corpus: Path) -> int:
    """Return the bytes of the rows that the last refresh wrote, as Arrow holds them."""
    live = published.read_live_generation(Corpus(str(corpus)))
    ids = published.read_columns(Corpus(str(corpus)), live, "documents", ["document_id"], f"run_id = '{live.run_id}'")
    names = ids["document_id"].to_pylist()
    tables = ("documents", "elements", "figures", "chunks")
    return sum(published.read_rows_of(Corpus(str(corpus)), live, name, _columns(corpus, name), names).nbytes for name in tables)


def _columns(corpus: Path, name: str) -> list[str]:
    live = published.read_live_generation(Corpus(str(corpus)))
    empty = published.read_columns(Corpus(str(corpus)), live, name, None, "false")
    columns: list[str] = empty.column_names
    return columns


class Upkeep(NamedTuple):
    """What a command took: seconds, seconds of CPU, megabytes of new files, MiB of its largest process."""

    seconds: float
    cpu_seconds: float
    written_mb: float
    peak_mib: float


def keep_up(source: Path, corpus: Path, model: Path) -> dict[str, Upkeep]:
    """Roll a corpus back by one generation, end the hold by a refresh, and purge a document; return what each took."""
    live = published.read_live_generation(Corpus(str(corpus)))
    gone = min(source.rglob("*.txt"))
    commands: dict[str, tuple[str | Path, ...]] = {
        "rollback": ("rollback", str(live.generation - 1)),
        "refresh after it": ("refresh", source, "--embedder", model, "--release"),
        "purge of a document": ("purge", str(gone.relative_to(source)), "--yes"),
    }
    gone.unlink()
    return {name: _measure_command(corpus, command) for name, command in commands.items()}


def _measure_command(corpus: Path, command: tuple[str | Path, ...]) -> Upkeep:
    before = files_below(corpus)
    cost = pagemill(*command, "--corpus", corpus)
    new = sum(size for known, size in files_below(corpus).items() if known not in before)
    return Upkeep(cost.seconds, cost.cpu_seconds, new / MEGABYTE, cost.peak_mib)


def size_of(folder: Path) -> int:
    """Return the bytes of all files below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def thirty_nights(source: Path, corpus: Path, model: Path, documents: int) -> Iterator[tuple[int, float, float]]:
    """Change one document in a hundred and refresh, thirty times; yield (night, MB of the corpus, MB written).

    Versions are cleaned up as if the nights were days apart: Pagemill keeps those of the last hour.
    """
    from flows.cli.refresh import run_refresh
    from schemas.options.sections import RefreshOptions
    from tasks.publish.io import cleanup

    cleanup.SAFE_AGE = timedelta(0)
    options = RefreshOptions.model_validate({"embed": {"model": str(model)}})
    for night in range(1, 31):
        for note in range(night % 100, documents, 100):
            write_note(source, (note * 7919) % documents, night)
        before = files_below(corpus)
        run_refresh(str(source), str(corpus), options, dry_run=False, url=None)
        after = files_below(corpus)
        yield night, sum(after.values()) / MEGABYTE, sum(size for known, size in after.items() if known not in before) / MEGABYTE


def rebuilt(source: Path, corpus: Path, model: Path) -> float:
    """Return the MB of a corpus that is built anew from a source."""
    shutil.rmtree(corpus, ignore_errors=True)
    pagemill("refresh", source, "--corpus", corpus, "--embedder", model)
    return size_of(corpus) / MEGABYTE


def build(source: Path, corpus: Path, model: Path) -> tuple[float, float]:
    """Build a corpus; return seconds and MiB."""
    cost = pagemill("refresh", source, "--corpus", corpus, "--embedder", model)
    return cost.seconds, cost.peak_mib
