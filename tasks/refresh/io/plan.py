"""Plan: list the source, hash what is new, compare with what is published; decide what a refresh has to do."""

import json
import logging
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pydantic import TypeAdapter

from schemas.access import DEFAULT, GROUPS, has_access
from schemas.corpus import Corpus
from schemas.ids import normal_path
from schemas.options.sections import AccessOptions, RefreshOptions
from schemas.types import strings
from tasks.refresh import planning
from tasks.refresh.io.source import sidecars
from tasks.refresh.io.source.documents import SourceDocument, read_documents
from tasks.refresh.io.source.listing import Listing as Listing
from tasks.refresh.planning import Plan, PublishedDocument, Rights, SourceFile, find_changed_rights, hash_metadata
from tasks.refresh.run import Recipes, Run
from tasks.store import files, published
from tasks.store.published import Generation

logger = logging.getLogger(__name__)

PUBLISHED = ["document_id", "path", "sha256", "recipe", "metadata_hash"]
"""The columns of published documents that are compared with the source."""


def make_file(found: SourceDocument, metadata: dict[str, Any]) -> SourceFile:
    """Return a document of the source; one that is refused has no content."""
    size, sha256 = 0 if found.refused else found.size, found.sha256 or ""
    rest = (found.refused, found.remedy, found.inside, found.compound)
    return SourceFile(found.path, size, sha256, found.media_type, metadata, *rest)


def _make_documents(rows: pa.Table, rejects: Sequence[Mapping[str, Any]]) -> dict[str, PublishedDocument]:
    """Return what is published of some documents, and what was rejected, by their ids."""
    found = {row["document_id"]: PublishedDocument(**row) for row in rows.to_pylist()}
    for row in rejects:
        known = found.get(row["document_id"], PublishedDocument(row["document_id"], row["path"]))
        found[row["document_id"]] = known._replace(
            rejected_sha256=row["sha256"],
            rejected_recipe=row["recipe"],
            rejected_finally=row["final"],
            attempts=row["attempts"],
            limits=row["limits"],
        )
    return found


def read_published_rejects(corpus: Corpus, generation: Generation, source_name: str) -> list[dict[str, Any]]:
    """Return the published rejects of whole documents of a source."""
    columns = ["document_id", "path", "sha256", "recipe", "final", "attempts", "limits"]
    where = f"source_name = '{source_name}' AND page_number = 0"
    rows: list[dict[str, Any]] = published.read_columns(corpus, generation, "rejects", columns, where).to_pylist()
    return rows


def plan_refresh(listing: Listing, corpus: Corpus, options: RefreshOptions, recipes: Recipes, remember: bool = True) -> Plan:
    """Compare the source with the live generation; `remember` keeps the digests of what was read for the next plan.

    Documents that are published as they lie there are compared as columns, the others one by one. The plan may be one that
    `planning.check_plan` refuses. `listing.nameless` gets what sidecars say of no document.
    What is published of a container that cannot be opened stays, unless rejects are to be dropped.

    Raises:
        InputError: a sidecar is wrong.
    """
    metadata = sidecars.read_sidecars(listing.source, [file.path for file in listing.sidecars], options.columns)
    documents = read_documents(listing, corpus, options, remember)
    paths = list(map(normal_path, documents.paths))
    listing.nameless = sorted(metadata.keys() - set(paths)) if metadata else []
    for file in listing.documents:
        if file.metadata:
            told = sidecars.convert_listed_metadata(file, options.columns)
            metadata[normal_path(file.path)] = {**told, **metadata.get(normal_path(file.path), {})}
    if has_access(options.columns):
        listing.nameless = sorted({*listing.nameless} - _spread_rights(paths, metadata, options.access.default))
    live = published.read_newest_generation(corpus)
    all_rows = rows = _read_published(corpus, live, options.plan.source_name)
    rejects = read_published_rejects(corpus, live, options.plan.source_name) if live else []
    n_kept, of_kept = 0, rows.slice(0, 0)
    if documents.unopened and options.plan.on_reject == "keep":
        below = tuple(f"{normal_path(path)}/" for path in documents.unopened)
        kept = pa.array([path.startswith(below) for path in rows["path"].to_pylist()], pa.bool_())
        of_kept, rows = rows.filter(kept), rows.filter(pc.invert(kept))
        n_kept = of_kept.num_rows
        rejects = [row for row in rejects if not row["path"].startswith(below)]
    column = strings(paths)
    same = _find_unchanged_documents(column, documents.sha256s, metadata, rows, rejects, recipes.whole, options)
    others = pc.indices_nonzero(pc.invert(same)).to_pylist()
    changed = [make_file(documents.find(at), metadata.get(paths[at], {})) for at in others]
    known_same = pc.is_in(rows["path"], value_set=column.filter(same))
    known = _make_documents(rows.filter(pc.invert(known_same)), rejects)
    plan = planning.make_plan(changed, known, recipes.whole, options.plan, format_limits(options), options.publish.rebuild)
    unlisted = plan
    if listing.incomplete:
        logger.warning("%s was not listed completely, so nothing is removed: %s", listing.source.uri, listing.incomplete)
        plan = planning.keep_unlisted(plan)
    if live and has_access(options.columns):
        gone = strings(path for _, path in unlisted.removed) if listing.incomplete else strings(())
        stays = pa.concat_tables([of_kept, all_rows.filter(pc.is_in(all_rows["path"], value_set=gone))])
        rights = (*plan.rights, *_find_rights_of_unseen(stays, metadata, options.access.default))
        before = {**AccessOptions().model_dump(), **live.options.get("access", {})}
        plan = plan._replace(rights=rights, is_policy_new=before != options.access.model_dump())
    n = len(paths) - len(changed) + n_kept
    listing.n_documents = plan.n_source + n
    return plan._replace(unchanged=plan.unchanged + n, n_source=plan.n_source + n, n_published=plan.n_published + n)


def _spread_rights(paths: Sequence[str], metadata: dict[str, dict[str, Any]], default: str) -> set[str]:
    """Give documents the groups of the nearest folder, archive or mail above that has some, and the default beside them.

    Return the folders, archives and mails that gave some.
    """
    above = {path for path, values in metadata.items() if GROUPS in values}
    used = set[str]()
    for path in paths:
        values = metadata.get(path, {})
        parents = PurePosixPath(path).parents if above and GROUPS not in values else ()
        if near := next((str(up) for up in parents if str(up) in above), None):
            values = {**values, GROUPS: metadata[near][GROUPS]}
            used.add(near)
        metadata[path] = {**values, DEFAULT: default}
    return used


def _find_rights_of_unseen(rows: pa.Table, metadata: dict[str, dict[str, Any]], default: str) -> list[Rights]:
    """Return who may read documents that stay published although nobody could see them now, if that changed."""
    documents = _make_documents(rows, []).values()
    _spread_rights([one.path for one in documents], metadata, default)
    files = (SourceFile(one.path, 0, one.sha256, "", metadata[one.path]) for one in documents)
    found = (find_changed_rights(file, one) for file, one in zip(files, documents, strict=True))
    return [one for one in found if one]


def _read_published(corpus: Corpus, live: Generation | None, source_name: str) -> pa.Table:
    if live is None:
        return pa.table({name: strings(()) for name in PUBLISHED})
    return published.read_columns(corpus, live, "documents", PUBLISHED, f"source_name = '{source_name}'")


def _find_unchanged_documents(
    paths: pa.Array,
    sha256s: pa.Array,
    metadata: Mapping[str, dict[str, Any]],
    rows: pa.Table,
    rejects: Sequence[Mapping[str, Any]],
    recipe: str,
    options: RefreshOptions,
) -> pa.Array:
    """Return which documents of the source are published as they lie there; none is for a rebuild."""
    if options.publish.rebuild:
        return pa.repeat(False, len(paths))
    plain = hash_metadata({})
    if metadata:
        hashed = strings(hash_metadata(metadata[path]) if path in metadata else plain for path in paths.to_pylist())
    else:
        hashed = pa.repeat(strings([plain])[0], len(paths))  # of a value of Python, Arrow would import pandas
    files = pa.table([paths, sha256s, hashed], names=["path", "sha256", "metadata_hash"])
    rejected = strings(row["path"] for row in rejects)
    return planning.are_unchanged(files, rows, rejected, recipe)


def format_limits(options: RefreshOptions) -> str:
    """Return the limits of time and memory as they are kept with a reject: raising one is a reason to try again."""
    return json.dumps(options.limits.model_dump(exclude={"workers", "retry_seconds"}), sort_keys=True)


PLAN = TypeAdapter(Plan)


def _place_plan(run: Run) -> Path:
    return run.folder / "plan.json"


def save_plan(run: Run, plan: Plan) -> None:
    """Keep the plan of a run until it is published."""
    files.write_atomically(_place_plan(run), PLAN.dump_json(plan))


def load_plan(run: Run) -> Plan:
    """Return the plan of a run that is under way."""
    return PLAN.validate_json(_place_plan(run).read_bytes())
