"""Digests of a source's files, remembered between plans: a file whose size and time are as they were is not read again."""

import logging
from pathlib import Path

import pyarrow as pa

from schemas.columns import integers
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

FEW_NEWS, NEWS_SHARE = 100, 0.1
"""So many files, or this share of all, are remembered beside the others."""

logger = logging.getLogger(__name__)


def path_of(corpus: Corpus, source_name: str) -> Path:
    """Return where the digests of a source's files are remembered."""
    return corpus.plans / f"{source_name}.hashes.arrow"


def news_path_of(corpus: Corpus, source_name: str) -> Path:
    """Return where the digests of files that were read later are remembered, so that a few of them do not rewrite all."""
    return corpus.plans / f"{source_name}.news.arrow"


def recall(corpus: Corpus, source_name: str) -> pa.Table:
    """Return what is remembered, as HASHES; of several rows of a path, the first is the newest.

    A memory that is lost, damaged or another Pagemill's is ignored, for it only saves reading.
    """
    news = _read(news_path_of(corpus, source_name))
    return pa.concat_tables([news.take(integers(reversed(range(news.num_rows)))), _read(path_of(corpus, source_name))])


def _read(path: Path) -> pa.Table:
    try:
        table = files.read_table(path)
    except FileNotFoundError:
        return pa.Table.from_batches([], HASHES)
    except SchemaError as error:
        logger.warning("all files of the source are read again: %s", error)
        return HASHES.empty_table()
    return table if table.schema.names == HASHES.names else HASHES.empty_table()


def remember(corpus: Corpus, source_name: str, found: pa.Table, new: pa.Table, recalled: pa.Table) -> None:
    """Remember the rows of HASHES that are `found`, of which `new` were read just now; `recalled` is remembered already.

    What is new is written beside the rest until it is more than a tenth of it; then all that is found is written anew.

    Raises:
        WriteError: it cannot be written.
    """
    if not new.num_rows and recalled.num_rows:
        return
    beside = pa.concat_tables([_read(news_path_of(corpus, source_name)), new])
    if recalled.num_rows and beside.num_rows <= max(FEW_NEWS, NEWS_SHARE * found.num_rows):
        files.put_table(news_path_of(corpus, source_name), beside)
        return
    news_path_of(corpus, source_name).unlink(missing_ok=True)
    files.put_table(path_of(corpus, source_name), found)
