"""Files of a corpus, with their sizes and digests. A path is relative to the corpus, with slashes.

In a folder, a digest is the SHA-256 of the bytes. In an object store it is the ETag, which the store made of what it took and
gives with each listing: nothing is read back for it.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from schemas.corpus import Corpus
from tasks.store import files
from tasks.store.objects.place import StorePath

HASHERS = 2
"""Files that are hashed at once: one core does 1.7 GB/s, more than most disks give."""


class FileStat(NamedTuple):
    """A file as a listing tells it: size in bytes, modification time (ns of the epoch), and the ETag of an object, else blank."""

    size: int
    mtime_ns: int
    etag: str = ""


class Digest(NamedTuple):
    """A file's size in bytes, its digest, and its modification time in ns of the epoch when the digest was made."""

    size: int
    digest: str
    mtime_ns: int


def list_below(corpus: Corpus, below: Iterable[str]) -> dict[str, FileStat]:
    """Return the files below some folders of a corpus, by their paths."""
    return {path: found for folder in below for path, found in _walk(corpus.folder, folder)}


def _walk(root: Path, folder: str) -> Iterator[tuple[str, FileStat]]:
    if isinstance(root, StorePath):
        for found in (root / folder).below():
            stat = found.stat()
            yield found.key.removeprefix(f"{root.key}/" if root.key else ""), FileStat(stat.st_size, stat.st_mtime_ns, found.etag)
        return
    for at, _, names in os.walk(root / folder):
        prefix = os.path.relpath(at, root)
        for name in names:
            try:
                stat = os.stat(os.path.join(at, name), follow_symlinks=False)
            except FileNotFoundError:  # another process has deleted it meanwhile
                continue
            yield name if prefix == "." else f"{prefix}/{name}", FileStat(stat.st_size, stat.st_mtime_ns)


def stat_files(corpus: Corpus, paths: Iterable[str]) -> dict[str, FileStat]:
    """Return those of some files that are there; in a store, the folders that hold them are listed."""
    if corpus.in_store:
        paths = list(paths)
        found = list_below(corpus, sorted({path.partition("/")[0] for path in paths}))
        return {path: found[path] for path in paths if path in found}
    there: dict[str, FileStat] = {}
    for path in paths:
        try:
            stat = os.stat(os.path.join(corpus.uri, path))
        except OSError:
            continue
        there[path] = FileStat(stat.st_size, stat.st_mtime_ns)
    return there


def hash_files(
    corpus: Corpus, found: Mapping[str, FileStat], known: Mapping[str, Digest], immutable: bool = True
) -> dict[str, Digest]:
    """Return the digests of files. Those that are `known` under the same name and size are not made again.

    Files that are not `immutable` must also have the time that they had then.
    """

    def same(path: str, file: FileStat) -> bool:
        before = known.get(path)
        return before is not None and before.size == file.size and (immutable or before.mtime_ns == file.mtime_ns)

    made = {path: Digest(file.size, file.etag, file.mtime_ns) for path, file in found.items() if file.etag}
    kept = {path: known[path] for path, file in found.items() if path not in made and same(path, file)}
    new = [path for path in found if path not in made and path not in kept]
    with ThreadPoolExecutor(HASHERS) as threads:
        hashed = dict(zip(new, threads.map(lambda path: digest_of(corpus, path), new), strict=True))
    return {
        path: made.get(path) or kept.get(path) or Digest(file.size, hashed[path], file.mtime_ns) for path, file in found.items()
    }


def digest_of(corpus: Corpus, path: str) -> str:
    """Return the SHA-256 of a file in a folder; blank if it cannot be read."""
    try:
        return files.sha256_of(corpus.folder / path)
    except OSError:
        return ""


def find_changed(corpus: Corpus, wanted: Mapping[str, Digest]) -> list[str]:
    """Return those of some files whose bytes have another digest, or cannot be read. In a folder all of them are read."""
    now = hash_files(corpus, stat_files(corpus, wanted), {})
    return [path for path, want in wanted.items() if path not in now or now[path].digest != want.digest]
