"""Plan: list the source, hash what is new, compare with what is published; decide what a refresh has to do."""

import json
import logging
import os
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

from schemas.corpus import Corpus
from schemas.ids import normal_path
from schemas.media_types import media_type_of
from schemas.options.sections import RefreshOptions
from tasks.refresh import planning
from tasks.refresh.io import hashes, sidecars
from tasks.refresh.io.hashes import Known, Stamp
from tasks.refresh.io.listing import Listing as Listing
from tasks.refresh.planning import Plan, PublishedDocument, SourceFile, is_trusted
from tasks.refresh.recipes import Recipes
from tasks.store import files, published
from tasks.store.folders import Listed
from tasks.store.published import Generation

LARGE_BYTES = 2**20
"""A file from which on a thread of its own pays for its digest."""

logger = logging.getLogger(__name__)


def read_source(listing: Listing, corpus: Corpus, options: RefreshOptions, remember: bool) -> list[SourceFile]:
    """Return the documents with content digests and metadata; a file that is as it was last time is not read again."""
    known = {} if options.plan.verify else hashes.recall(corpus, options.plan.source_name)
    metadata = sidecars.read_sidecars(listing.source, [file.path for file in listing.sidecars], options.columns)
    listing.nameless = sorted(metadata.keys() - {normal_path(file.path) for file in listing.documents})
    trusted = {stamp: it for stamp, it in known.items() if is_trusted(stamp.mtime_ns, it.read_at_ns, listing.listed_at_ns)}
    digests = _large_digests(listing, trusted)
    found = [_source_file(listing, file, digests, metadata.get(normal_path(file.path), {})) for file in listing.documents]
    if remember:
        read = zip(map(_stamp, listing.documents), found, strict=True)
        kept = {stamp: trusted.get(stamp, Known(it.sha256, listing.listed_at_ns)) for stamp, it in read if it.sha256}
        hashes.remember(corpus, options.plan.source_name, kept, known)
    return found


def _large_digests(listing: Listing, trusted: Mapping[Stamp, Known]) -> dict[Stamp, Known]:
    """Return `trusted` with the digests of large files that are not among them, which all cores compute together."""
    large = [file for file in listing.documents if file.size >= LARGE_BYTES and not file.refused and _stamp(file) not in trusted]

    def digest(file: Listed) -> str:
        with suppress(OSError):  # read again by itself, which tells why it cannot be read
            return files.sha256_of(listing.source / file.path)
        return ""

    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as threads:
        read = {
            _stamp(file): Known(sha256, listing.listed_at_ns)
            for file, sha256 in zip(large, threads.map(digest, large), strict=True)
        }
    return {**trusted, **{stamp: known for stamp, known in read.items() if known.sha256}}


def _stamp(file: Listed) -> Stamp:
    return Stamp(file.path, file.size, file.mtime_ns)


def _source_file(listing: Listing, file: Listed, known: Mapping[Stamp, Known], metadata: dict[str, Any]) -> SourceFile:
    media_type = media_type_of(file.path) or ""
    if file.refused:
        return SourceFile(file.path, 0, "", media_type, metadata, file.refused)
    remembered = known.get(_stamp(file))
    try:
        sha256 = remembered.sha256 if remembered else files.sha256_of(listing.source / file.path)
    except OSError as error:
        return SourceFile(file.path, 0, "", media_type, metadata, f"it cannot be read ({error.strerror})")
    return SourceFile(file.path, file.size, sha256, media_type, metadata)


def published_documents(corpus: Corpus, source_name: str) -> dict[str, PublishedDocument]:
    """Return what the live generation holds of the source's documents, by id; none if the corpus is new."""
    generation = published.newest(corpus)
    if generation is None:
        return {}
    where = f"source_name = '{source_name}'"
    columns = ["document_id", "path", "sha256", "recipe", "metadata_hash"]
    rows = published.read_columns(corpus, generation, "documents", columns, where)
    ids, paths, digests, recipes, hashed = (rows[name].to_pylist() for name in columns)
    made = map(PublishedDocument, ids, paths, digests, _shared(recipes), _shared(hashed))
    found = dict(zip(ids, made, strict=True))
    for row in published_rejects(corpus, generation, source_name):
        known = found.get(row["document_id"], PublishedDocument(row["document_id"], row["path"]))
        found[row["document_id"]] = known._replace(
            rejected_sha256=row["sha256"],
            rejected_recipe=row["recipe"],
            rejected_finally=row["final"],
            attempts=row["attempts"],
            limits=row["limits"],
        )
    return found


def published_rejects(corpus: Corpus, generation: Generation, source_name: str) -> list[dict[str, Any]]:
    """Return the published rejects of whole documents of a source."""
    columns = ["document_id", "path", "sha256", "recipe", "final", "attempts", "limits"]
    where = f"source_name = '{source_name}' AND page_number = 0"
    rows: list[dict[str, Any]] = published.read_columns(corpus, generation, "rejects", columns, where).to_pylist()
    return rows


def _shared(values: list[str]) -> Iterator[str]:
    """Yield the values; equal ones are one object, for a corpus has few recipes and a great many documents."""
    known: dict[str, str] = {}
    return (known.setdefault(value, value) for value in values)


def plan_refresh(listing: Listing, corpus: Corpus, options: RefreshOptions, recipes: Recipes, remember: bool = True) -> Plan:
    """Compare the source with the live generation; `remember` keeps the digests of what was read for the next plan.

    The plan may be one that `planning.check_plan` refuses. `listing.nameless` gets what sidecars say of no document.

    Raises:
        InputError: a sidecar is wrong.
    """
    found = read_source(listing, corpus, options, remember)
    known = published_documents(corpus, options.plan.source_name)
    return planning.make_plan(found, known, recipes.whole, options.plan, limits_of(options), options.publish.rebuild)


def limits_of(options: RefreshOptions) -> str:
    """Return the limits of time and memory as they are kept with a reject: raising one is a reason to try again."""
    return json.dumps(options.limits.model_dump(exclude={"workers", "retry_seconds"}), sort_keys=True)
