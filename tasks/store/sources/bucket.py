"""Prefixes of buckets as sources: objects are told by their ETags."""

from collections.abc import Iterator
from pathlib import Path

from schemas.corpus import PRIVATE
from schemas.errors import InputError
from schemas.media_types import START_BYTES, is_hidden
from tasks.store.objects import client
from tasks.store.objects.paths import StorePath, as_object, place_in_bucket
from tasks.store.objects.storage import make_key_relative
from tasks.store.sources.folder import check_file_name_encoding
from tasks.store.sources.source import ListedFile, Source, SourceListing, make_content_number


class BucketSource(Source):
    """A prefix of a bucket of S3 or a store like it."""

    readers = client.AT_ONCE

    def __init__(self, prefix: Path) -> None:
        self.place, self.uri = as_object(prefix), str(prefix)

    def list_files(self, memory: bytes) -> SourceListing:
        check_file_name_encoding()
        found = {path: make_key_relative(path, self.place).split("/") for path in self.place.below()}
        if not found:
            raise InputError(f"source {self.uri} does not exist: name a prefix of a bucket with documents")
        corpora = {tuple(parts[: parts.index(PRIVATE)]) for parts in found.values() if PRIVATE in parts}
        if () in corpora:
            raise InputError(f"source {self.uri} is a corpus: name the prefix of its documents")
        folders = {tuple(parts[:n]) for parts in found.values() for n in range(1, len(parts))}
        files = sorted(
            ListedFile("/".join(parts), path.stat().st_size, _make_object_number(path))
            for path, parts in found.items()
            if not any(map(is_hidden, parts))
            and not any(tuple(parts[:n]) in corpora for n in range(1, len(parts)))
            and not (path.stat().st_size == 0 and (tuple(parts) in folders or "." not in parts[-1]))  # stands for a folder
        )
        return SourceListing(files)

    def stream(self, path: str) -> Iterator[bytes]:
        yield from client.stream_object(*place_in_bucket(self.place / path))

    def read_start(self, file: ListedFile) -> bytes:
        n_bytes = min(file.size, START_BYTES)
        return client.get_object_range(*place_in_bucket(self.place / file.path), 0, n_bytes) if n_bytes else b""


def _make_object_number(path: StorePath) -> int:
    return make_content_number(path.etag or str(path.stat().st_mtime_ns))
