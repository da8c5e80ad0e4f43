"""Digests of a source's files, remembered between plans: a file whose size and time are as they were is not read again."""

import logging
from collections.abc import Iterable
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


def recall(corpus: Corpus, source_name: str) -> dict[Stamp, Known]:
    """Return what is remembered; nothing if the memory is lost, damaged or another Pagemill's, for it only saves reading."""
    path = path_of(corpus, source_name)
    try:
        table = files.read_table(path)
    except FileNotFoundError:
        return {}
    except SchemaError as error:
        logger.warning("all files of the source are read again: %s", error)
        return {}
    if table.schema.names != HASHES.names:
        return {}
    columns = table.to_pydict()
    stamps = map(Stamp, columns["path"], columns["size"], columns["mtime_ns"])
    return dict(zip(stamps, map(Known, columns["sha256"], columns["read_at_ns"]), strict=True))


def remember(corpus: Corpus, source_name: str, found: Iterable[tuple[Stamp, Known]]) -> None:
    """Remember what was read; what is remembered so far goes.

    Raises:
        WriteError: it cannot be written.
    """
    rows = [{**stamp._asdict(), **known._asdict()} for stamp, known in found]
    files.put_table(path_of(corpus, source_name), pa.Table.from_pylist(rows, schema=HASHES))
