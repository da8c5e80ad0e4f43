"""Documents of a source in a store: their digests, and copies of them that worker processes can read, which reach no store."""

import hashlib
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

from schemas.corpus import place_of
from schemas.errors import ChangedError
from schemas.references import Content
from tasks.store import files
from tasks.store.objects import client
from tasks.store.objects.place import StorePath
from tasks.store.objects.private import process_copies

MOST_BYTES = 2 * 2**30
"""Documents whose digests were just made are kept for the parser, up to so many bytes together; others are fetched once more."""

_kept_sizes: dict[str, int] = {}
_changing = threading.Lock()


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file's or an object's bytes, as 64 hex digits. A copy of an object is kept while there is room.

    Raises:
        OSError: it cannot be read.
    """
    if not isinstance(path, StorePath):
        return files.sha256_of(path)
    made, size, sha256 = _download(path)
    with _changing:
        keeps = sha256 not in _kept_sizes and sum(_kept_sizes.values()) + size <= MOST_BYTES
        if keeps:
            _kept_sizes[sha256] = size
    if keeps:
        made.replace(_copy_path(sha256, path))
    else:
        made.unlink()
    return sha256


def _download(path: StorePath) -> tuple[Path, int, str]:
    """Return a new file with the bytes of an object, their number and their digest."""
    made, sha256, size = process_copies() / f"{uuid4().hex}.part", hashlib.sha256(), 0
    try:
        with made.open("wb") as sink:
            for part in client.stream(path.bucket, path.key):
                sha256.update(part)
                size += sink.write(part)
    except BaseException:
        made.unlink(missing_ok=True)
        raise
    return made, size, sha256.hexdigest()


def _copy_path(sha256: str, path: Path) -> Path:
    return process_copies() / f"{sha256}{path.suffix}"


@contextmanager
def fetch_contents(contents: Sequence[Content]) -> Iterator[list[Content | ChangedError]]:
    """Give contents whose paths are files of this machine, in the order of `contents`, or why there are none.

    Copies of objects last as long as the block.

    Raises:
        StoreError: the store refuses, or does not answer.
    """
    with ThreadPoolExecutor(client.AT_ONCE) as threads:
        given = list(threads.map(_fetch_content, contents))
    try:
        yield given
    finally:
        for content, here in zip(contents, given, strict=True):
            if isinstance(here, Content) and here.path != content.path:
                Path(here.path).unlink(missing_ok=True)


def _fetch_content(content: Content) -> Content | ChangedError:
    path = place_of(content.path)
    if not isinstance(path, StorePath):
        return content
    copied = _copy_path(content.sha256, path)
    with _changing, suppress(KeyError):
        del _kept_sizes[content.sha256]
    try:
        if not copied.exists():
            _download(path)[0].replace(copied)
    except FileNotFoundError:
        return ChangedError(f"{content.path} has been deleted since the plan was made: run the refresh again")
    return content.model_copy(update={"path": str(copied)})
