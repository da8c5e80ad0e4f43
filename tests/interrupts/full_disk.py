"""Refreshes and a purge on a disk with little room: run by `test_full_disk` where it may mount a file system of its own."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from schemas.corpus import Corpus
from schemas.errors import PagemillError
from tasks.store import published, vector_indexes
from tests.soak import commands
from tests.soak.state import live_state

BLOCK, MOST_BLOCKS, PLENTY = 4096, 240, 1 << 26
TEXTS = {f"{name}.txt": f"The heron of {name} stands in the river. " * 40 for name in ("a", "b", "secret")}
EDITED = "The kingfisher came in spring. " * 40


class Disk:
    """A file system in memory whose size can be set."""

    def __init__(self, place: Path) -> None:
        self.place = place
        place.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={PLENTY}", "none", str(place)], check=True)

    def leave(self, room: int) -> None:
        """Set the bytes that are free."""
        used = shutil.disk_usage(self.place).used
        subprocess.run(["mount", "-o", f"remount,size={used + room}", str(self.place)], check=True)


def trial(disk: Disk, begun: Path | None, command: Callable[[str], None], room: int) -> dict[str, Any]:
    """Carry out a command on a copy of the corpus `begun` with so much room, then again with plenty."""
    disk.leave(PLENTY)
    corpus = disk.place / "corpus"
    shutil.rmtree(corpus, ignore_errors=True)
    if begun:
        shutil.copytree(begun, corpus)
    before = live_state(corpus)[1] if begun else None
    disk.leave(room)
    told = ""
    try:
        command(str(corpus))
    except (PagemillError, OSError) as error:
        told = str(error)
        kept = live_state(corpus)[1] if published.read_newest_generation(Corpus(str(corpus))) else None
        if kept != before:
            told = f"what was published is not whole: {told}"
        disk.leave(PLENTY)
        command(str(corpus))
    documents = live_state(corpus)[1].documents
    return {"room": room, "told": told, "after": {path: document.text for path, document in documents.items()}}


def begin(folder: Path, model: str) -> tuple[Path, Path]:
    """Publish a corpus, then edit a document; return the source and the corpus."""
    source, base = folder / "source", folder / "base"
    source.mkdir()
    for path, text in TEXTS.items():
        (source / path).write_text(text)
    commands.refresh(str(base), str(source), model, {})
    (source / "b.txt").write_text(EDITED)
    return source, base


def main(folder: Path, model: str, n_rooms: int) -> None:
    """Print what each trial of each command ended in, as a line of JSON."""
    commands.prepare(Path(model))
    vector_indexes.INDEXED_ROWS = 1  # so that the disk may be full while that index is built
    source, base = begin(folder, model)
    disk = Disk(folder / "disk")

    def refresh(corpus: str) -> None:
        commands.refresh(corpus, str(source), model, {})

    def purge(corpus: str) -> None:
        commands.purge(corpus, "secret.txt")

    calls: dict[str, tuple[Path | None, Callable[[str], None]]] = {
        "first refresh": (None, refresh),
        "refresh": (base, refresh),
        "purge": (base, purge),
    }
    for name, (begun, command) in calls.items():
        for number in range(n_rooms):
            room = (1 + MOST_BLOCKS * number // n_rooms) * BLOCK
            sys.stdout.write(json.dumps({"command": name, **trial(disk, begun, command, room)}) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
