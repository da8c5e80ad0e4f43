"""Planning: what a refresh has to do, from what lies in the source and what is published."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from schemas.access import DEFAULT, GROUPS, NOBODY
from schemas.errors import CorpusError, InputError
from schemas.ids import document_id, json_digest
from schemas.options.sections import PlanOptions
from schemas.references import Compound, Inside
from schemas.types import scalar

NAMED = 50
"""Documents of each kind of change that a report names."""

RACY_NS = 2_000_000_000
"""The coarsest clock of a file system: a file that is written twice within so many ns may keep its time."""


class SourceFile(NamedTuple):
    """A document's file: `path` below the source, its content, its metadata from beside it as JSON values.

    `refused` says why it cannot be read, and `remedy` what to do; `inside` where it is, if it is a member of another file.
    """

    path: str
    size: int
    sha256: str
    media_type: str
    metadata: dict[str, Any]
    refused: str = ""
    remedy: str = ""
    inside: Inside | None = None
    compound: Compound | None = None


class PublishedDocument(NamedTuple):
    """What the published generation holds of a document; `sha256` is empty if it holds a reject only."""

    document_id: str
    path: str
    sha256: str = ""
    recipe: str = ""
    metadata_hash: str = ""
    rejected_sha256: str = ""
    rejected_recipe: str = ""
    rejected_finally: bool = True
    attempts: int = 0
    limits: str = ""


class Change(NamedTuple):
    """One document to bring up to date: why, what is published of it, and where it was before if it moved."""

    kind: str
    document_id: str
    file: SourceFile
    published: PublishedDocument | None
    moved_from: str = ""


class Rights(NamedTuple):
    """Who may read a published document from now on, and the part of its `metadata_hash` that says so."""

    document_id: str
    path: str
    groups: list[str]
    rights_hash: str


class Plan(NamedTuple):
    """What a refresh does. `removed` are ids and paths of documents that left the source; `n_unindexed` of them had rejects only.

    `rights` are those of documents of which nothing else changed: their rows are not made anew. `is_policy_new`: the options
    say otherwise than those of the live generation who may read.

    `why_empty` says what a source without documents holds instead.
    """

    changes: tuple[Change, ...]
    removed: tuple[tuple[str, str], ...]
    unchanged: int
    rejected: int
    n_source: int
    n_published: int
    why_empty: str = ""
    n_unindexed: int = 0
    rights: tuple[Rights, ...] = ()
    is_policy_new: bool = False

    @property
    def has_nothing_to_do(self) -> bool:
        """Return whether there is nothing to do."""
        return not (self.changes or self.removed or self.rights or self.is_policy_new)

    def counts(self) -> dict[str, int]:
        """Return how many documents there are of each kind."""
        counts = dict.fromkeys(("added", "changed", "metadata", "moved", "retried"), 0)
        for change in self.changes:
            counts[change.kind] += 1
        counts["metadata"] += len(self.rights)
        return {**counts, "removed": len(self.removed) - counts["moved"], "unchanged": self.unchanged, "rejected": self.rejected}


class PlanOverview(NamedTuple):
    """A plan for a report: how many documents there are of each kind of change, and the paths of the first of them.

    `rejected` counts documents that stay rejected since an earlier run.
    """

    counts: dict[str, int]
    first: dict[str, tuple[str, ...]]
    rejected: int


def summarise_plan(plan: Plan) -> PlanOverview:
    """Return the overview of a plan; it names NAMED documents of each kind."""
    counts = plan.counts()
    return PlanOverview(counts, {kind: tuple(islice(_list_paths_of_kind(plan, kind), NAMED)) for kind in counts}, plan.rejected)


def _list_paths_of_kind(plan: Plan, kind: str) -> Iterator[str]:
    if kind == "removed":
        moved = {change.moved_from for change in plan.changes if change.moved_from}
        return (path for _, path in plan.removed if path not in moved)
    if kind == "metadata":
        alone = (change.path for change in plan.rights)
        return chain((change.file.path for change in plan.changes if change.kind == kind), alone)
    chosen = (change for change in plan.changes if change.kind == kind)
    return (f"{change.file.path} (was {change.moved_from})" if change.moved_from else change.file.path for change in chosen)


def are_trusted(mtime_ns: pa.Array, read_at_ns: pa.Array | int, now_ns: int) -> pa.Array:
    """Return which files still hold what was read, if their sizes and modification times are those that were seen then.

    Whatever is written between `read_at_ns` and `now_ns` gets a time from between them, or up to RACY_NS before: other times
    can be trusted, past ones for good, and future ones until the clock comes near them. A clock that was set back proves nothing.
    """
    read_at = scalar(read_at_ns) if isinstance(read_at_ns, int) else read_at_ns
    past = pc.less(mtime_ns, pc.subtract(read_at, scalar(RACY_NS)))
    future = pc.greater(mtime_ns, scalar(now_ns + RACY_NS))
    return pc.and_(pc.less_equal(read_at, scalar(now_ns)), pc.or_(past, future))


def hash_metadata(metadata: Mapping[str, object]) -> str:
    """Return the digest of a document's metadata from beside it.

    Where they say who may read it, that has a digest of its own, behind a slash.
    """
    if DEFAULT not in metadata:
        return json_digest(metadata)
    rest = {name: value for name, value in metadata.items() if name not in (GROUPS, DEFAULT)}
    return f"{json_digest(rest)}/{json_digest({name: metadata[name] for name in (GROUPS, DEFAULT) if name in metadata})}"


def find_changed_rights(file: SourceFile, old: PublishedDocument, unknown: bool = False) -> Rights | None:
    """Return who may read a published document now, if its metadata say otherwise than when it was published.

    Without groups from beside a file that cannot be read it is for nobody then; and if those in it are `unknown`, in any case.
    """
    rights_hash = hash_metadata(file.metadata).partition("/")[2]
    same = rights_hash == old.metadata_hash.partition("/")[2] and not (unknown and GROUPS not in file.metadata)
    if not old.sha256 or not rights_hash or same:
        return None
    return Rights(old.document_id, file.path, file.metadata.get(GROUPS) or [NOBODY], rights_hash)


def _find_rights_alone(kind: str, file: SourceFile, old: PublishedDocument | None) -> Rights | None:
    """Return who may read a document now if that changed and nothing else: its rows need not be made anew."""
    rights = find_changed_rights(file, old) if old and kind in ("metadata", "rejected") else None
    if rights and kind == "metadata":
        same = old is not None and hash_metadata(file.metadata).partition("/")[0] == old.metadata_hash.partition("/")[0]
        return rights if same and GROUPS in file.metadata else None
    return rights


def make_plan(
    files: Iterable[SourceFile],
    published: Mapping[str, PublishedDocument],
    recipe: str,
    options: PlanOptions,
    limits: str,
    rebuild: bool = False,
) -> Plan:
    """Compare the source with the published documents of its source name, by document id; `rebuild` computes all of them again.

    A file whose content is published under a path that is gone counts as moved; both its ids are in the plan.
    `rejected` counts documents that stay rejected: their error is final, or they were tried often enough within `limits`.
    """
    here = {document_id(options.source_name, file.path): file for file in files}
    gone = {name: document for name, document in published.items() if name not in here}
    homes: dict[tuple[str, str], list[PublishedDocument]] = {}
    for document in gone.values():
        if document.sha256:
            homes.setdefault((document.sha256, document.metadata_hash), []).append(document)
    changes: list[Change] = []
    rights: list[Rights] = []
    unchanged = rejected = 0
    for name, file in here.items():
        kind = _classify_change(file, published.get(name), recipe, options, limits)
        if rebuild and kind != "added":
            kind = "changed"
        granted = _find_rights_alone(kind, file, published.get(name))
        if granted:
            rights.append(granted)
        if kind == "unchanged":
            unchanged += 1
        elif kind == "rejected":
            rejected += 1
        elif not granted:
            left = homes.get((file.sha256, hash_metadata(file.metadata))) if kind == "added" else None
            home = left.pop(0) if left else None
            changes.append(Change("moved" if home else kind, name, file, published.get(name), home.path if home else ""))
    removed = tuple((name, document.path) for name, document in gone.items())
    n_unindexed = sum(not document.sha256 for document in gone.values())
    counted = (unchanged, rejected, len(here), len(published))
    return Plan(tuple(changes), removed, *counted, n_unindexed=n_unindexed, rights=tuple(rights))


def keep_unlisted(plan: Plan) -> Plan:
    """Return a plan from a listing that was not complete: nothing is removed, and what seemed to be moved is added."""
    changes = (change._replace(kind="added", moved_from="") if change.moved_from else change for change in plan.changes)
    n = len(plan.removed)
    return plan._replace(
        changes=tuple(changes), removed=(), unchanged=plan.unchanged + n, n_source=plan.n_source + n, n_unindexed=0
    )


def are_unchanged(files: pa.Table, published: pa.Table, rejected: pa.Array, recipe: str) -> pa.Array:
    """Return which of `files` are published as they are, as Booleans: these need no look at one by one.

    `files` has their paths, sha256 and metadata_hash, `published` these and the recipe of each published document, `rejected`
    the paths of documents with rejects. A sha256 is null where a file is refused.
    """
    files, published = files.combine_chunks(), published.combine_chunks()
    at = pc.index_in(files["path"], value_set=published["path"]).combine_chunks()
    same = pc.equal(published["recipe"].take(at), scalar(recipe))
    for name in ("sha256", "metadata_hash"):
        same = pc.and_(same, pc.equal(published[name].take(at), files[name]))
    accepted = pc.invert(pc.is_in(files["path"], value_set=rejected))
    return pc.and_(pc.and_kleene(pc.is_valid(same), same), accepted).combine_chunks()


def _classify_change(file: SourceFile, old: PublishedDocument | None, recipe: str, options: PlanOptions, limits: str) -> str:
    if old is None:
        return "added"
    if old.rejected_sha256 or old.attempts:
        return _classify_rejected_change(file, old, recipe, options, limits)
    as_it_was_read = file.compound.file_sha256 if file.compound and file.compound.missing else file.sha256
    if old.sha256 not in (file.sha256, as_it_was_read) or recipe != old.recipe:
        return "changed"
    return "unchanged" if hash_metadata(file.metadata) == old.metadata_hash else "metadata"


def _classify_rejected_change(file: SourceFile, old: PublishedDocument, recipe: str, options: PlanOptions, limits: str) -> str:
    if (file.sha256, recipe) != (old.rejected_sha256, old.rejected_recipe):
        return "changed" if old.sha256 else "added"
    if not old.rejected_finally and (old.attempts < options.retry_attempts or limits != old.limits):
        return "retried"
    return "rejected"


def check_not_empty(n_source: int, why_empty: str, options: PlanOptions) -> None:
    """Refuse a source without documents, unless an empty one is allowed.

    Raises:
        InputError: it has none; `why_empty` tells what it has instead.
    """
    if not n_source and not options.allow_empty:
        held = why_empty or "no documents"
        raise InputError(f"the source holds {held}: check its path and the globs, or allow it with --allow-empty")


def check_plan(plan: Plan, options: PlanOptions) -> None:
    """Refuse plans that look like a mistake.

    Raises:
        InputError: the source has no documents, and an empty one is not allowed.
        CorpusError: more documents would go than options.max_removed_share allows.
    """
    check_not_empty(plan.n_source, plan.why_empty, options)
    lost = plan.counts()["removed"] - plan.n_unindexed
    if lost > options.max_removed_share * plan.n_published and not options.allow_removals:
        raise CorpusError(
            f"{lost} of {plan.n_published} documents left the source, more than {options.max_removed_share:.0%}: "
            "check that it is complete, or allow it with --allow-removals"
        )
