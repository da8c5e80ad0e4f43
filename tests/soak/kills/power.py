"""What a command brings to the disk: all else may be lost when the power fails."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

Files = Mapping[str, tuple[int, int]]


def synced(corpus: str, command: str, given: dict[str, Any]) -> dict[str, Any]:
    """Run a command; return what was on the disk when it published, and what was when it ended."""
    from tests.soak.commands import COMMANDS

    versions, real = Path(corpus) / "generations.lance/_versions", os.fsync
    old = set(versions.glob("*.manifest"))
    before, ever = set(), set()

    def fsync(fd: Any) -> None:
        real(fd)
        path = os.path.realpath(f"/proc/self/fd/{fd}")
        ever.add(path)
        if not set(versions.glob("*.manifest")) - old:
            before.add(path)

    setattr(os, "fsync", fsync)  # noqa: B010  mypy knows no replacing of functions
    COMMANDS[command](corpus, **given)
    return {"before": sorted(before), "ever": sorted(ever)}


def files_of(corpus: Path) -> Files:
    """Return the files of a corpus's tables, with sizes and times."""
    found = {path: path.stat() for path in corpus.glob("*.lance/**/*") if path.is_file()}
    return {os.path.realpath(path): (it.st_size, it.st_mtime_ns) for path, it in found.items()}


def with_folders(new: set[str], old: Files) -> set[str]:
    """Return new files, and the folders that have got a new file or folder: what has no name there is lost."""
    known = {str(folder) for path in old for folder in Path(path).parents}
    return new | {found for path in new for found in _named_in(str(Path(path).parent), known)}


def _named_in(folder: str, known: set[str]) -> set[str]:
    return {folder} if folder in known else {folder} | _named_in(str(Path(folder).parent), known)
