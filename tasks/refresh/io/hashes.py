"""Digests of a source's files, remembered between plans: a file whose size and time are as they were is not read again."""

import logging
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from schemas.corpus import Corpus
from schemas.errors import SchemaError
from tasks.store import files

HASHES = pa.schema(
    [
        ("path", pa.string()),
        ("size", pa.int64()),
        ("mtime_ns", pa.int64()),
        ("sha256", pa.string()),
        ("read_at_ns", pa.int64()),
    ]
)
"""One row per file that was read: its size and modification time then, and when it was listed to be read (ns)."""

PART = 10_000
"""Files that are Python objects and Arrow rows at once."""

FEW_NEWS, NEWS_SHARE = 100, 0.1
"""So many files, or this share of all, are remembered beside the others."""

logger = logging.getLogger(__name__)


class Stamp(NamedTuple):
    """What is seen of a file without reading it."""

    path: str
    size: int
    mtime_ns: int


class Known(NamedTuple):
    """What a file held when it was read."""

    sha256: str
    read_at_ns: int


def path_of(corpus: Corpus, source_name: str) -> Path:
    """Return where the digests of a source's files are remembered."""
    return corpus.plans / f"{source_name}.hashes.arrow"


def news_path_of(corpus: Corpus, source_name: str) -> Path:
    """Return where the digests of files that were read later are remembered, so that a few of them do not rewrite all."""
    return corpus.plans / f"{source_name}.news.arrow"


def recall(corpus: Corpus, source_name: str) -> dict[Stamp, Known]:
    """Return what is remembered. A memory that is lost, damaged or another Pagemill's is ignored, for it only saves reading."""
    parts = (path_of(corpus, source_name), news_path_of(corpus, source_name))
    return {stamp: known for path in parts for stamp, known in _pairs(_read(path))}


def _read(path: Path) -> pa.Table:
    try:
        table = files.read_table(path)
    except FileNotFoundError:
        return pa.Table.from_batches([], HASHES)
    except SchemaError as error:
        logger.warning("all files of the source are read again: %s", error)
        return HASHES.empty_table()
    return table if table.schema.names == HASHES.names else HASHES.empty_table()


def _pairs(table: pa.Table) -> Iterator[tuple[Stamp, Known]]:
    for part in table.to_batches(max_chunksize=PART):
        path, size, mtime_ns, sha256, read_at_ns = (column.to_pylist() for column in part.columns)
        yield from zip(map(Stamp, path, size, mtime_ns), map(Known, sha256, read_at_ns), strict=True)


def remember(corpus: Corpus, source_name: str, found: Mapping[Stamp, Known], recalled: Mapping[Stamp, Known]) -> None:
    """Remember what is `found`; `recalled` is remembered already.

    What is new is written beside the rest until it is more than a tenth of it; then all that is found is written anew.

    Raises:
        WriteError: it cannot be written.
    """
    new = _table((stamp, known) for stamp, known in found.items() if recalled.get(stamp) != known)
    if not new.num_rows and recalled:
        return
    beside = pa.concat_tables([_read(news_path_of(corpus, source_name)), new])
    if recalled and beside.num_rows <= max(FEW_NEWS, NEWS_SHARE * len(found)):
        files.put_table(news_path_of(corpus, source_name), beside)
        return
    news_path_of(corpus, source_name).unlink(missing_ok=True)
    files.put_table(path_of(corpus, source_name), _table(found.items()))


def _table(pairs: Iterable[tuple[Stamp, Known]]) -> pa.Table:
    rows = iter(pairs)
    parts = iter(lambda: [(*stamp, *known) for stamp, known in islice(rows, PART)], [])
    batches = [
        pa.record_batch(
            [pa.array(column, kind) for column, kind in zip(zip(*part, strict=True), HASHES.types, strict=True)], HASHES
        )
        for part in parts
    ]
    return pa.Table.from_batches(batches, HASHES)
