"""Trees: what lies below a folder, or below a prefix of a store, taken as a whole."""

import os
import shutil
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from tasks.store.objects import client
from tasks.store.objects.place import StorePath
from tasks.store.objects.private import local_path


def delete_tree(folder: Path) -> None:
    """Delete a folder, or what has its prefix in a store and what this machine keeps of that; it need not be there.

    Raises:
        StoreError: the store refuses, or does not answer.
    """
    if isinstance(folder, StorePath):
        delete_all(folder.below())
    shutil.rmtree(local_path(folder), ignore_errors=True)


def delete_all(paths: Iterable[Path]) -> None:
    """Delete files or objects, which need not be there any more.

    Raises:
        StoreError: the store refuses, or does not answer.
    """
    keys: dict[str, list[str]] = {}
    for path in paths:
        local_path(path).unlink(missing_ok=True)
        if isinstance(path, StorePath):
            keys.setdefault(path.bucket, []).append(path.key)
    for bucket, of_bucket in keys.items():
        client.delete(bucket, of_bucket)


def sizes_below(folder: Path) -> Iterator[tuple[Path, int]]:
    """Yield the files below `folder` with their sizes in bytes. Other processes may delete some meanwhile."""
    if isinstance(folder, StorePath):
        yield from ((path, path.stat().st_size) for path in folder.below())
        return
    for at, _, names in os.walk(folder):
        for name in names:
            with suppress(FileNotFoundError):
                found = Path(at, name).lstat()
                if not stat.S_ISDIR(found.st_mode):
                    yield Path(at, name), found.st_size
