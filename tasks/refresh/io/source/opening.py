"""Opening: what lies in the containers of a source. One that was opened before is known by its digest."""

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from schemas.corpus import Corpus
from schemas.errors import PagemillError, SchemaError, ServiceError
from schemas.ids import digest
from schemas.media_types import SUFFIXES, container_type_of, find_added_formats, media_type_of
from schemas.options.sections import LimitOptions, RefreshOptions
from schemas.references import Content
from schemas.types import strings
from schemas.versions import CONTAINERS_VERSION
from tasks.parse.io.members import MEMBERS, Container, list_containers
from tasks.refresh.io.source.documents import SourceDocument
from tasks.refresh.io.source.listing import Listing
from tasks.refresh.io.source.memory import recall_rows, remember_rows
from tasks.refresh.planning import SourceFile
from tasks.store.documents import fetch_document_contents
from tasks.workers.pool import WorkerPool


def open_containers(
    listing: Listing, held: Sequence[SourceDocument], corpus: Corpus, options: RefreshOptions, remember: bool
) -> dict[str, list[dict[str, Any]] | PagemillError]:
    """Return the MEMBERS of containers as rows, or why they cannot be opened, by their paths."""
    place, beside = (corpus.plans / f"{options.plan.source_name}.{name}.arrow" for name in ("members", "new-members"))
    reading = _describe_reading(options.limits)
    keys = {file.path: digest(file.sha256, _find_kind(file.path), *reading) for file in held if not file.refused}
    recalled = recall_rows(place, beside, MEMBERS)
    known = recalled.filter(pc.is_in(recalled["key"], value_set=strings(keys.values())))
    lacking = set(keys.values()) - set(known["key"].to_pylist())
    unknown = {keys[file.path]: file for file in held if not file.refused and keys[file.path] in lacking}
    read = _list_members_in_workers(listing, unknown, options.limits) if unknown else {}
    new = pa.concat_tables([pa.Table.from_batches([], MEMBERS), *(rows for rows in read.values() if isinstance(rows, pa.Table))])
    found = pa.concat_tables([known, new])
    if remember:
        remember_rows(place, beside, found, new, recalled)
    by_key: dict[str, list[dict[str, Any]]] = {}
    for row in sorted(found.to_pylist(), key=lambda row: bool(row["path"])):  # the row of the container itself comes first
        by_key.setdefault(row["key"], []).append(row)
    errors = {key: rows for key, rows in read.items() if isinstance(rows, PagemillError)}
    return {path: errors[key] if key in errors else by_key[key] for path, key in keys.items()}


def _describe_reading(limits: LimitOptions) -> tuple[str, ...]:
    """Return what the keys of MEMBERS are made of, besides the bytes and the kind of each container."""
    bounds = {name: value for name, value in limits.model_dump().items() if name.startswith("container_")}
    return str(bounds), CONTAINERS_VERSION, str(sorted([*SUFFIXES, *find_added_formats()]))


def _find_kind(path: str) -> str | None:
    return container_type_of(path) or media_type_of(path)


def _list_members_in_workers(
    listing: Listing, unknown: Mapping[str, SourceDocument], limits: LimitOptions
) -> dict[str, pa.Table | PagemillError]:
    """Return the MEMBERS of containers, or why they cannot be opened, by their keys."""
    contents = [listing.make_content(SourceFile(file.path, file.size, file.sha256 or "", "", {})) for file in unknown.values()]
    found: dict[str, pa.Table | PagemillError] = {}
    with fetch_document_contents(contents, listing.copies) as given, WorkerPool(limits) as pool:
        containers = []
        for (key, file), here in zip(unknown.items(), given, strict=True):
            if isinstance(here, Content):
                containers.append(Container(here.path, file.path, file.size, here.sha256, key))
            else:
                found[key] = here
        for container, rows in list_containers(pool, containers, limits):
            if isinstance(rows, ServiceError | SchemaError):
                raise rows
            found[container.key] = rows
    return found
