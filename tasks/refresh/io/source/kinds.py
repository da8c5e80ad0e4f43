"""Kinds: what files without a suffix are, told by their first bytes. A file that is as it was last time is not read again."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from schemas.errors import StoreError
from schemas.media_types import media_type_by_start
from schemas.types import integers, scalar, strings
from schemas.versions import CONTAINERS_VERSION
from tasks.refresh.io.source.memory import make_stamps, recall_unchanged_rows
from tasks.store.sources.source import ListedFile, Source

KINDS = pa.schema(
    [
        ("path", pa.string()),
        ("size", pa.int64()),
        ("mtime_ns", pa.int64()),
        ("media_type", pa.string()),
        ("read_at_ns", pa.int64()),
        ("version", pa.string()),
    ]
)
"""One row per file whose start was read: size and modification time then, what it is (blank for no format that Pagemill
reads), when it was listed to be read (ns), and the CONTAINERS_VERSION that told it."""
NO_KINDS = pa.Table.from_batches([], KINDS)


def explain_unreadable(error: OSError) -> str:
    """Return why a file is refused."""
    return f"it cannot be read ({error.strerror or 'it is gone'})"


def tell_kinds(
    source: Source, files: Sequence[ListedFile], recalled: pa.Table, listed_at_ns: int
) -> tuple[list[ListedFile], pa.Table]:
    """Return files without a suffix with their media types, blank for no format, and KINDS of them for the next listing.

    One that cannot be read is refused, and is what it was.

    Raises:
        StoreError: the whole place refuses, or does not answer.
    """
    recalled = recalled.filter(pc.equal(recalled["version"], scalar(CONTAINERS_VERSION)))
    same = recall_unchanged_rows(make_stamps(files), recalled, ("media_type", "read_at_ns"), listed_at_ns).to_pylist()
    before = {row["path"]: row for row in recalled.to_pylist()}
    unread = [file for file, row in zip(files, same, strict=True) if row["media_type"] is None]
    with ThreadPoolExecutor(source.readers) as threads:
        read = dict(zip((file.path for file in unread), threads.map(lambda file: _tell_kind(source, file), unread), strict=True))
    told, kinds = list[ListedFile](), list[dict[str, Any]]()
    for file, row in zip(files, same, strict=True):
        kind, refused = read.get(file.path, (row["media_type"], ""))
        if refused:
            known = before.get(file.path)
            told.append(file._replace(refused=refused, media_type=known["media_type"] if known else ""))
            kinds += [known] if known else []
            continue
        told.append(file._replace(media_type=kind))
        read_at = row["read_at_ns"] or listed_at_ns
        kinds.append(dict(zip(KINDS.names, (*file[:3], kind, read_at, CONTAINERS_VERSION), strict=True)))
    columns = [
        (strings if field.type == pa.string() else integers)(row[field.name] for row in kinds) for field in KINDS
    ]  # pa.Table.from_pylist would load pandas, which a plan has no time for
    return told, pa.Table.from_arrays(columns, schema=KINDS)


def _tell_kind(source: Source, file: ListedFile) -> tuple[str, str]:
    """Return the media type that the start of a file tells, blank if it tells none; and why it cannot be read, if so."""
    try:
        return media_type_by_start(source.read_start(file)) or "", ""
    except StoreError:
        raise
    except OSError as error:
        return "", explain_unreadable(error)
