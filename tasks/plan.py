"""Plan: list the source, hash what is new, compare with what is published; decide what a refresh has to do."""

import json
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
from pathspec import PathSpec

from schemas.errors import CorpusError, InputError
from schemas.ids import is_unicode, json_digest, normal_path
from schemas.options import RefreshOptions
from tasks.adapters import files, folders, sidecars
from tasks.adapters.folders import PRIVATE, Listed
from tasks.adapters.media_types import media_type_of
from tasks.recipe import Recipes
from tasks.transforms import planning
from tasks.transforms.planning import Plan, PublishedDocument, SourceFile

RACY_NS = 2_000_000_000
"""A file modified so shortly before it was listed may change again without a new time: it is read again."""

HASHES = pa.schema([("path", pa.string()), ("size", pa.int64()), ("mtime_ns", pa.int64()), ("sha256", pa.string())])


class Listing:
    """The source as it lies there: documents, sidecars, what is skipped for its kind, and paths that only sidecars name."""

    def __init__(self, source: Path, options: RefreshOptions) -> None:
        """List `source`; `options.plan` chooses the files."""
        self.source = source
        self.listed_at_ns = time.time_ns()
        include, exclude = _globs(options.plan.include), _globs(options.plan.exclude)
        listed = [
            file for file in folders.list_files(source) if include.match_file(file.path) and not exclude.match_file(file.path)
        ]
        self.sidecars = [file for file in listed if Path(file.path).name in sidecars.NAMES]
        others = [file for file in listed if Path(file.path).name not in sidecars.NAMES]
        self.documents = [file for file in others if media_type_of(file.path)]
        self.skipped = [file.path for file in others if not media_type_of(file.path)]
        self._refuse_twins()
        self.nameless: list[str] = []

    def _refuse_twins(self) -> None:
        seen: dict[str, Listed] = {}
        for file in self.documents:
            twin = seen.setdefault(normal_path(file.path), file)
            if twin is not file:
                raise InputError(f"{twin.path!r} and {file.path!r} differ only in how Unicode writes their names: rename one")

    def fingerprint(self, options: RefreshOptions) -> str:
        """Return a digest of all names, sizes and times, and of the options that plan."""
        stats = [[file.path, file.size, file.mtime_ns, file.refused] for file in (*self.documents, *self.sidecars)]
        return json_digest(
            [os.path.realpath(self.source), options.plan.model_dump(), options.columns, options.limits.model_dump(), stats]
        )

    @property
    def settled(self) -> bool:
        """Tell whether every file is old enough for its time to be trusted."""
        newest = max((file.mtime_ns for file in (*self.documents, *self.sidecars)), default=0)
        return newest < self.listed_at_ns - RACY_NS


def _globs(patterns: Sequence[str]) -> PathSpec[Any]:
    try:
        return PathSpec.from_lines("gitignore", patterns)
    except ValueError as error:
        raise InputError(f"{error}: write globs as in a .gitignore file") from error


def settled_path(corpus: str, source_name: str) -> Path:
    """Return where the last settled listing of a source is remembered."""
    return Path(corpus) / PRIVATE / "plans" / f"{source_name}.settled.json"


def clean_path(corpus: str) -> Path:
    """Return the marker that names the published generation while nobody writes; it goes before the first write."""
    return Path(corpus) / PRIVATE / "clean"


def nothing_changed(listing: Listing, corpus: str, options: RefreshOptions, recipes: Recipes) -> dict[str, Any] | None:
    """Return what is remembered of the last plan if the source and the corpus are as they were then, else None.

    Costs a listing and two small reads: no table is opened.
    """
    path, clean = settled_path(corpus, options.plan.source_name), clean_path(corpus)
    if options.plan.verify or options.publish.rebuild or not (path.exists() and clean.exists()):
        return None
    known: dict[str, Any] = json.loads(path.read_text())
    same = known["fingerprint"] == listing.fingerprint(options) and known["recipe"] == recipes.whole
    return known if same and str(known["generation"]) == clean.read_text() else None


def remember_settled(listing: Listing, corpus: str, options: RefreshOptions, recipes: Recipes) -> None:
    """Remember that the live generation is what this listing gives.

    Not if a file's time cannot be trusted yet, or if a rejected document is to be tried again.
    """
    from tasks.adapters import published

    live = published.newest(corpus)
    rejects = [known for known in published_documents(corpus, options.plan.source_name).values() if known.attempts]
    pending = [known for known in rejects if not known.rejected_finally and known.attempts < options.plan.retry_attempts]
    if live is None or pending or not listing.settled:
        settled_path(corpus, options.plan.source_name).unlink(missing_ok=True)
        return
    record = {
        "fingerprint": listing.fingerprint(options),
        "recipe": recipes.whole,
        "generation": live.generation,
        "counts": {"unchanged": len(listing.documents) - len(rejects), "rejected": len(rejects)},
    }
    files.put(settled_path(corpus, options.plan.source_name), json.dumps(record).encode())
    files.put(clean_path(corpus), str(live.generation).encode())


def read_source(listing: Listing, corpus: str, options: RefreshOptions, remember: bool) -> list[SourceFile]:
    """Return the documents with content digests and metadata; a file that is as it was last time is not read again."""
    known = {} if options.plan.verify else _known_hashes(corpus, options.plan.source_name)
    metadata = sidecars.read_sidecars(listing.source, [file.path for file in listing.sidecars], options.columns)
    listing.nameless = sorted(metadata.keys() - {normal_path(file.path) for file in listing.documents})
    found = [_source_file(listing, file, known, metadata.get(normal_path(file.path), {})) for file in listing.documents]
    if remember:
        _remember_hashes(listing, corpus, options.plan.source_name, found)
    return found


def _source_file(listing: Listing, file: Listed, known: dict[tuple[str, int, int], str], metadata: dict[str, Any]) -> SourceFile:
    media_type = media_type_of(file.path) or ""
    if file.refused:
        return SourceFile(file.path, 0, "", media_type, metadata, file.refused)
    sha256 = known.get((file.path, file.size, file.mtime_ns))
    try:
        sha256 = sha256 or files.sha256_of(listing.source / file.path)
    except OSError as error:
        return SourceFile(file.path, 0, "", media_type, metadata, f"it cannot be read ({error.strerror})")
    return SourceFile(file.path, file.size, sha256, media_type, metadata)


def _hashes_path(corpus: str, source_name: str) -> Path:
    return Path(corpus) / PRIVATE / "plans" / f"{source_name}.hashes.arrow"


def _known_hashes(corpus: str, source_name: str) -> dict[tuple[str, int, int], str]:
    path = _hashes_path(corpus, source_name)
    if not path.exists():
        return {}
    columns = files.read_table(path).to_pydict()
    keys = zip(columns["path"], columns["size"], columns["mtime_ns"], strict=True)
    return dict(zip(keys, columns["sha256"], strict=True))


def _remember_hashes(listing: Listing, corpus: str, source_name: str, found: list[SourceFile]) -> None:
    rows = [
        {"path": file.path, "size": file.size, "mtime_ns": file.mtime_ns, "sha256": read.sha256}
        for file, read in zip(listing.documents, found, strict=True)
        if read.sha256 and file.mtime_ns < listing.listed_at_ns - RACY_NS
    ]
    files.put_table(_hashes_path(corpus, source_name), pa.Table.from_pylist(rows, schema=HASHES))


def published_documents(corpus: str, source_name: str) -> dict[str, PublishedDocument]:
    """Return what the live generation holds of the source's documents, by id; none if the corpus is new."""
    from tasks.adapters import published

    generation = published.newest(corpus)
    if generation is None:
        return {}
    where = f"source_name = '{source_name}'"
    columns = ["document_id", "path", "sha256", "recipe", "metadata_hash"]
    rows = published.read_columns(corpus, generation, "documents", columns, where).to_pylist()
    found = {row["document_id"]: PublishedDocument(**row) for row in rows}
    columns = ["document_id", "path", "sha256", "recipe", "final", "attempts", "limits"]
    for row in published.read_columns(corpus, generation, "rejects", columns, f"{where} AND page_number = 0").to_pylist():
        known = found.get(row["document_id"], PublishedDocument(row["document_id"], row["path"]))
        found[row["document_id"]] = known._replace(
            rejected_sha256=row["sha256"],
            rejected_recipe=row["recipe"],
            rejected_finally=row["final"],
            attempts=row["attempts"],
            limits=row["limits"],
        )
    return found


def plan_refresh(listing: Listing, corpus: str, options: RefreshOptions, recipes: Recipes, remember: bool = True) -> Plan:
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


def check_corpus(corpus: str) -> None:
    """Refuse a corpus URI that is not one.

    Raises:
        InputError: it is no folder, or a folder of something else.
    """
    path = Path(corpus)
    if not is_unicode(os.path.realpath(corpus)):
        raise InputError(f"the path of corpus {corpus} is not UTF-8: name another folder")
    if "://" in corpus:
        raise InputError(f"corpus {corpus} is no folder: name a folder; storage by URL is not supported")
    if path.is_symlink() and not path.exists():
        raise InputError(f"corpus {corpus} is a symbolic link that leads nowhere: name a folder")
    if path.exists() and not path.is_dir():
        raise InputError(f"corpus {corpus} is a file: name a new or empty folder, or a corpus")
    if path.is_dir() and any(path.iterdir()) and not (path / PRIVATE).is_dir():
        raise InputError(f"{corpus} is a folder of something else: name a new or empty folder, or a corpus")


def check_fits(corpus: str, options: RefreshOptions, recipes: Recipes) -> None:
    """Refuse a corpus that this run's options do not fit, or that a rollback holds.

    Raises:
        CorpusError: another format, embedder, set of columns or recipe, or held; says what to do.
    """
    from tasks.adapters import published
    from tasks.recipe import differences

    live = published.newest(corpus)
    if live is None:
        return
    if live.held and not options.publish.release:
        raise CorpusError(f"corpus {corpus} is held by a rollback: inspect it, then refresh with --release")
    if live.embedder != recipes.embedder:
        raise CorpusError(f"corpus {corpus} was embedded by another model: use that model, or build a new corpus")
    if live.columns != options.columns:
        raise CorpusError(
            f"corpus {corpus} has metadata columns {live.columns}, not {options.columns}: declare these, or build a new corpus"
        )
    if live.recipe != recipes.whole and not options.publish.rebuild:
        changes = "; ".join(differences(live.recipe_details, recipes.details)) or "its engines"
        raise CorpusError(
            f"corpus {corpus} was built by another recipe ({changes}): set the options back, "
            "or compute every document again with --rebuild"
        )
