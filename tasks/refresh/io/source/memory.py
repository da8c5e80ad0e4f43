"""Memory: tables of what was read in a source, kept for the next plan. One that is lost only costs reading."""

import logging
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from schemas.errors import SchemaError
from schemas.types import integers, strings
from tasks.refresh.planning import are_trusted
from tasks.store import files
from tasks.store.sources.source import ListedFile

FEW_NEWS, NEWS_SHARE = 100, 0.1
"""So many rows, or this share of all, are remembered beside the others, so that a few of them do not rewrite all."""

logger = logging.getLogger(__name__)


def recall_rows(place: Path, beside: Path, schema: pa.Schema) -> pa.Table:
    """Return what is remembered, the newest rows first; a memory that is lost, damaged or another Pagemill's is ignored."""
    news = read_rows(beside, schema)
    return pa.concat_tables([news.take(integers(reversed(range(news.num_rows)))), read_rows(place, schema)])


def make_stamps(listed: Sequence[ListedFile]) -> pa.Table:
    """Return what is seen of files without reading them, a row each: path, size (bytes), mtime_ns."""
    columns = {"path": strings(file.path for file in listed), "size": integers(file.size for file in listed)}
    return pa.table({**columns, "mtime_ns": integers(file.mtime_ns for file in listed)})


def recall_unchanged_rows(seen: pa.Table, recalled: pa.Table, names: Sequence[str], now_ns: int) -> pa.Table:
    """Return columns of what is `recalled` of the files that are `seen` with the same size and time; null for the others."""
    at = pc.index_in(seen["path"], value_set=recalled["path"])
    then = recalled.select(["size", "mtime_ns", *{*names, "read_at_ns"}]).take(at)
    same = pc.and_(pc.equal(then["size"], seen["size"]), pc.equal(then["mtime_ns"], seen["mtime_ns"]))
    same = pc.and_(same, are_trusted(seen["mtime_ns"], then["read_at_ns"], now_ns))
    return pa.table({name: pc.if_else(same, then[name], pa.NA.cast(then[name].type)) for name in names})


def read_rows(path: Path, schema: pa.Schema) -> pa.Table:
    """Return the rows of one file, none if it is not there, is damaged or has other columns."""
    try:
        table = files.read_table(path)
    except FileNotFoundError:
        return pa.Table.from_batches([], schema)  # `empty_table` would import pandas, in every plan of a new source
    except SchemaError as error:
        logger.warning("all files of the source are read again: %s", error)
        return schema.empty_table()
    return table if table.schema.names == schema.names else schema.empty_table()


def remember_rows(place: Path, beside: Path, found: pa.Table, new: pa.Table, recalled: pa.Table) -> None:
    """Remember the rows that are `found`, of which `new` were read just now; `recalled` is remembered already.

    What is new is written beside the rest until it is more than a tenth of it; then all that is found is written anew.

    Raises:
        WriteError: it cannot be written.
    """
    if not new.num_rows and recalled.num_rows:
        return
    news = pa.concat_tables([read_rows(beside, new.schema), new])
    if recalled.num_rows and news.num_rows <= max(FEW_NEWS, NEWS_SHARE * found.num_rows):
        files.write_table_atomically(beside, news)
        return
    beside.unlink(missing_ok=True)
    files.write_table_atomically(place, found)
