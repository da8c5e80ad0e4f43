"""Files of a corpus, with their sizes and digests. A path is relative to the corpus, with slashes.

In a folder, a digest is the SHA-256 of the bytes. In an object store it is the ETag, which the store made of what it took and
gives with each listing: nothing is read back for it. What says which digests there are is sealed by a digest of its own.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from schemas.corpus import Corpus
from tasks.store import files
from tasks.store.storage import FileStat

HASHERS = 2
"""Files that are hashed at once: one core does 1.7 GB/s, more than most disks give."""


class Digest(NamedTuple):
    """A file's size in bytes, its digest, and its modification time in ns of the epoch when the digest was made."""

    size: int
    digest: str
    mtime_ns: int


def list_files_below(corpus: Corpus, below: Iterable[str]) -> dict[str, FileStat]:
    """Return the files below some folders of a corpus, by their paths."""
    listed = ((folder, files.find_storage(corpus.folder).list_below(corpus.folder / folder)) for folder in below)
    return {f"{folder}/{path}" if folder else path: found for folder, there in listed for path, found in there}


def stat_files(corpus: Corpus, paths: Iterable[str]) -> dict[str, FileStat]:
    """Return those of some files of a corpus that are there, by their paths."""
    return files.find_storage(corpus.folder).stat_files(corpus.folder, paths)


def hash_files(
    corpus: Corpus, found: Mapping[str, FileStat], known: Mapping[str, Digest], immutable: bool = True
) -> dict[str, Digest]:
    """Return the digests of files. Those that are `known` under the same name and size are not made again.

    Files that are not `immutable` must also have the time that they had then.
    """

    def is_unchanged(path: str, file: FileStat) -> bool:
        before = known.get(path)
        return before is not None and before.size == file.size and (immutable or before.mtime_ns == file.mtime_ns)

    made = {path: Digest(file.size, file.etag, file.mtime_ns) for path, file in found.items() if file.etag}
    kept = {path: known[path] for path, file in found.items() if path not in made and is_unchanged(path, file)}
    new = [path for path in found if path not in made and path not in kept]
    with ThreadPoolExecutor(HASHERS) as threads:
        hashed = dict(zip(new, threads.map(lambda path: compute_file_digest(corpus, path), new), strict=True))
    return {
        path: made.get(path) or kept.get(path) or Digest(file.size, hashed[path], file.mtime_ns) for path, file in found.items()
    }


def compute_file_digest(corpus: Corpus, path: str) -> str:
    """Return the SHA-256 of a file in a folder; blank if it cannot be read."""
    try:
        return files.compute_sha256(corpus.folder / path)
    except OSError:
        return ""


def find_changed_files(corpus: Corpus, wanted: Mapping[str, Digest]) -> list[str]:
    """Return those of some files whose bytes have another digest, or cannot be read. In a folder all of them are read."""
    now = hash_files(corpus, stat_files(corpus, wanted), {})
    return [path for path, want in wanted.items() if path not in now or now[path].digest != want.digest]


def write_sealed_json(path: Path, value: object) -> None:
    """Write `value` as JSON after a line with its SHA-256, at once, and bring it to the disk. Who reads the folder can read it.

    Raises:
        WriteError: it cannot be written.
    """
    content = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    files.write_atomically(path, hashlib.sha256(content).hexdigest().encode() + b"\n" + content)
    storage = files.find_storage(path)
    storage.share(path)
    storage.sync(path)
    storage.sync(path.parent)


def read_sealed_json(path: Path) -> Any | None:
    """Return the value of a sealed file, or None if it is damaged.

    Raises:
        FileNotFoundError: there is no such file.
    """
    seal, _, content = path.read_bytes().partition(b"\n")
    return json.loads(content) if seal == hashlib.sha256(content).hexdigest().encode() else None
