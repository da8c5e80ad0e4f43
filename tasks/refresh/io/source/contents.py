"""Contents: what the files of a source hold, told by their digests. A file that is as it was last time is not read again."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from schemas.corpus import Corpus
from schemas.errors import StoreError
from schemas.options.sections import RefreshOptions
from schemas.types import integers, scalar, strings
from tasks.refresh.io.source.listing import Listing
from tasks.refresh.io.source.memory import recall_rows, remember_rows
from tasks.refresh.planning import are_trusted
from tasks.store import files
from tasks.store.sources.source import ListedFile, Source

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


def place_hashes(corpus: Corpus, source_name: str) -> Path:
    """Return where the digests of a source's files are remembered."""
    return corpus.plans / f"{source_name}.hashes.arrow"


def place_new_hashes(corpus: Corpus, source_name: str) -> Path:
    """Return where the digests of files that were read later are remembered, so that a few of them do not rewrite all."""
    return corpus.plans / f"{source_name}.news.arrow"


def place_listing_memory(corpus: Corpus, source_name: str) -> Path:
    """Return where is kept what a source wants to know at its next listing."""
    return corpus.plans / f"{source_name}.listing"


def recall_listing(source: Source, corpus: Corpus, options: RefreshOptions) -> bytes:
    """Return what a source wanted to know at its next listing; nothing if all is to be verified."""
    if options.plan.verify or not source.has_memory:
        return b""
    try:
        return place_listing_memory(corpus, options.plan.source_name).read_bytes()
    except FileNotFoundError:
        return b""


def remember_listing(corpus: Corpus, source_name: str, listing: Listing) -> None:
    """Keep what the source wants to know at its next listing.

    Raises:
        WriteError: it cannot be written.
    """
    if listing.memory:
        files.write_atomically(place_listing_memory(corpus, source_name), listing.memory)


def recall_hashes(corpus: Corpus, source_name: str) -> pa.Table:
    """Return what is remembered, as HASHES; of several rows of a path, the first is the newest."""
    return recall_rows(place_hashes(corpus, source_name), place_new_hashes(corpus, source_name), HASHES)


def remember_hashes(corpus: Corpus, source_name: str, found: pa.Table, new: pa.Table, recalled: pa.Table) -> None:
    """Remember the rows of HASHES that are `found`, of which `new` were read just now; `recalled` is remembered already.

    Raises:
        WriteError: it cannot be written.
    """
    remember_rows(place_hashes(corpus, source_name), place_new_hashes(corpus, source_name), found, new, recalled)


UNREADABLE = "it cannot be read ({})"


def read_contents(listing: Listing, corpus: Corpus, options: RefreshOptions, remember: bool) -> tuple[pa.Table, dict[int, str]]:
    """Return HASHES of the files of a listing, in its order, and by their places why some are refused.

    The sha256 of a refused file is null. `remember` keeps the digests for the next time.
    """
    recalled = HASHES.empty_table() if options.plan.verify else recall_hashes(corpus, options.plan.source_name)
    known = _recall_unchanged(listing, recalled)
    refused = {at: file.refused for at, file in enumerate(listing.files) if file.refused}
    unread = [at for at in pc.indices_nonzero(pc.is_null(known["sha256"])).to_pylist() if at not in refused]
    read = dict(zip(unread, _compute_digests(listing, [listing.files[at] for at in unread]), strict=True))
    refused |= {at: reason for at, (_, reason) in read.items() if reason}
    new = pa.table([integers(unread), strings(read[at][0] for at in unread)], names=["at", "sha256"])
    at = pc.index_in(integers(range(len(listing.files))), value_set=new["at"])
    digests = pc.coalesce(known["sha256"], new["sha256"].take(at))
    read_at = pc.coalesce(known["read_at_ns"], scalar(listing.listed_at_ns))
    found = pa.table([*listing.stamps.columns, digests, read_at], schema=HASHES)
    if remember:
        remember_listing(corpus, options.plan.source_name, listing)
        kept = found.filter(pc.is_valid(digests))
        of_new = found.take(new["at"].filter(pc.is_valid(new["sha256"])))
        remember_hashes(corpus, options.plan.source_name, kept, of_new, recalled)
    return found, refused


def _recall_unchanged(listing: Listing, recalled: pa.Table) -> pa.Table:
    """Return sha256 and read_at_ns of the files whose size and time are as they were; null for the others."""
    seen = listing.stamps
    at = pc.index_in(seen["path"], value_set=recalled["path"])
    then = recalled.select(["size", "mtime_ns", "sha256", "read_at_ns"]).take(at)
    same = pc.and_(pc.equal(then["size"], seen["size"]), pc.equal(then["mtime_ns"], seen["mtime_ns"]))
    same = pc.and_(same, are_trusted(seen["mtime_ns"], then["read_at_ns"], listing.listed_at_ns))
    return pa.table({name: pc.if_else(same, then[name], pa.NA.cast(then[name].type)) for name in ("sha256", "read_at_ns")})


def _compute_digests(listing: Listing, unread: Sequence[ListedFile]) -> Iterator[tuple[str | None, str]]:
    """Yield the digest of each file, or None and why it cannot be read. Large files, and objects, are read side by side."""
    source = listing.source

    def digest(file: ListedFile) -> tuple[str | None, str]:
        try:
            return source.digest_file(file.path), ""
        except StoreError:
            raise
        except OSError as error:
            return None, UNREADABLE.format(error.strerror or "it is gone")

    large = [file for file in unread if file.size >= source.large_bytes]
    with ThreadPoolExecutor(source.readers) as threads:
        of_large = dict(zip((file.path for file in large), threads.map(digest, large), strict=True))
    return (of_large[file.path] if file.path in of_large else digest(file) for file in unread)
