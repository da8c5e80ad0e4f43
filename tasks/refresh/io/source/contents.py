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
from tasks.refresh.io.source.kinds import KINDS, explain_unreadable
from tasks.refresh.io.source.listing import NOTHING, Listing, Recalled
from tasks.refresh.io.source.memory import read_rows, recall_rows, recall_unchanged_rows, remember_rows
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


def place_kinds(corpus: Corpus, source_name: str) -> Path:
    """Return where is kept what a source's files without a suffix are."""
    return corpus.plans / f"{source_name}.kinds.arrow"


def recall_listing(source: Source, corpus: Corpus, options: RefreshOptions) -> Recalled:
    """Return what is known of the last listing; nothing if all is to be verified."""
    if options.plan.verify:
        return NOTHING
    kinds = read_rows(place_kinds(corpus, options.plan.source_name), KINDS)
    try:
        place = place_listing_memory(corpus, options.plan.source_name)
        return Recalled(place.read_bytes() if source.has_memory else b"", kinds)
    except FileNotFoundError:
        return Recalled(b"", kinds)


def remember_listing(corpus: Corpus, source_name: str, listing: Listing) -> None:
    """Keep what the next listing is to know.

    Raises:
        WriteError: it cannot be written.
    """
    of_source, kinds = listing.memory
    if of_source:
        files.write_atomically(place_listing_memory(corpus, source_name), of_source)
    if not kinds.equals(listing.recalled.kinds):
        files.write_table_atomically(place_kinds(corpus, source_name), kinds)


def recall_hashes(corpus: Corpus, source_name: str) -> pa.Table:
    """Return what is remembered, as HASHES; of several rows of a path, the first is the newest."""
    return recall_rows(place_hashes(corpus, source_name), place_new_hashes(corpus, source_name), HASHES)


def remember_hashes(corpus: Corpus, source_name: str, found: pa.Table, new: pa.Table, recalled: pa.Table) -> None:
    """Remember the rows of HASHES that are `found`, of which `new` were read just now; `recalled` is remembered already.

    Raises:
        WriteError: it cannot be written.
    """
    remember_rows(place_hashes(corpus, source_name), place_new_hashes(corpus, source_name), found, new, recalled)


def read_contents(listing: Listing, corpus: Corpus, options: RefreshOptions, remember: bool) -> tuple[pa.Table, dict[int, str]]:
    """Return HASHES of the files of a listing, in its order, and by their places why some are refused.

    The sha256 of a refused file is null. `remember` keeps the digests for the next time.
    """
    recalled = HASHES.empty_table() if options.plan.verify else recall_hashes(corpus, options.plan.source_name)
    known = recall_unchanged_rows(listing.stamps, recalled, ("sha256", "read_at_ns"), listing.listed_at_ns)
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


def _compute_digests(listing: Listing, unread: Sequence[ListedFile]) -> Iterator[tuple[str | None, str]]:
    """Yield the digest of each file, or None and why it cannot be read. Large files, and objects, are read side by side."""
    source = listing.source

    def digest(file: ListedFile) -> tuple[str | None, str]:
        try:
            return source.digest_file(file.path), ""
        except StoreError:
            raise
        except OSError as error:
            return None, explain_unreadable(error)

    large = [file for file in unread if file.size >= source.large_bytes]
    with ThreadPoolExecutor(source.readers) as threads:
        of_large = dict(zip((file.path for file in large), threads.map(digest, large), strict=True))
    return (of_large[file.path] if file.path in of_large else digest(file) for file in unread)
