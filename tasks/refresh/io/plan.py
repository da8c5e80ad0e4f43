"""Plan: list the source, hash what is new, compare with what is published; decide what a refresh has to do."""

import json
import logging
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from schemas.corpus import PRIVATE, Corpus
from schemas.errors import CorpusError, InputError
from schemas.ids import is_unicode, normal_path
from schemas.media_types import media_type_of
from schemas.options.sections import RefreshOptions
from tasks.refresh import planning
from tasks.refresh.io import hashes, sidecars
from tasks.refresh.io.hashes import Known, Stamp
from tasks.refresh.io.listing import Listing as Listing
from tasks.refresh.planning import Plan, PublishedDocument, SourceFile, is_trusted
from tasks.refresh.recipes import Recipes
from tasks.store import files
from tasks.store.folders import Listed

logger = logging.getLogger(__name__)


def settled_path(corpus: Corpus, source_name: str) -> Path:
    """Return where the last settled listing of a source is remembered."""
    return corpus.plans / f"{source_name}.settled.json"


def clean_path(corpus: Corpus) -> Path:
    """Return the marker that names the published generation while nobody writes; it goes before the first write."""
    return corpus.marker("clean")


def nothing_changed(listing: Listing, corpus: Corpus, options: RefreshOptions, recipes: Recipes) -> dict[str, Any] | None:
    """Return what is remembered of the last plan if the source and the corpus are as they were then, else None.

    Costs a listing and two small reads: no table is opened.
    """
    path, clean = settled_path(corpus, options.plan.source_name), clean_path(corpus)
    if options.plan.verify or options.publish.rebuild or not (path.exists() and clean.exists()):
        return None
    try:
        known: dict[str, Any] = json.loads(path.read_text())
    except ValueError:  # cut short by a power failure: it only saves work
        return None
    same = known["fingerprint"] == listing.fingerprint(options) and known["recipe"] == recipes.whole
    trusted = listing.trusts(known.get("listed_at_ns", 0))
    return known if same and trusted and str(known["generation"]) == clean.read_text() else None


def remember_settled(listing: Listing, corpus: Corpus, options: RefreshOptions, recipes: Recipes) -> None:
    """Remember that the live generation is what this listing gives; where that cannot be written, the next refresh plans anew.

    Not if a file's time cannot be trusted yet, or if a rejected document is to be tried again.
    """
    try:
        _remember_settled(listing, corpus, options, recipes)
    except OSError as error:
        logger.warning("the next refresh compares all documents, for this one cannot be remembered: %s", error)


def _remember_settled(listing: Listing, corpus: Corpus, options: RefreshOptions, recipes: Recipes) -> None:
    from tasks.store import published

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
        "listed_at_ns": listing.listed_at_ns,
        "counts": {"unchanged": len(listing.documents) - len(rejects), "rejected": len(rejects)},
    }
    files.put(settled_path(corpus, options.plan.source_name), json.dumps(record).encode())
    files.put(clean_path(corpus), str(live.generation).encode())


def read_source(listing: Listing, corpus: Corpus, options: RefreshOptions, remember: bool) -> list[SourceFile]:
    """Return the documents with content digests and metadata; a file that is as it was last time is not read again."""
    known = {} if options.plan.verify else hashes.recall(corpus, options.plan.source_name)
    metadata = sidecars.read_sidecars(listing.source, [file.path for file in listing.sidecars], options.columns)
    listing.nameless = sorted(metadata.keys() - {normal_path(file.path) for file in listing.documents})
    trusted = {stamp: it for stamp, it in known.items() if is_trusted(stamp.mtime_ns, it.read_at_ns, listing.listed_at_ns)}
    found = [_source_file(listing, file, trusted, metadata.get(normal_path(file.path), {})) for file in listing.documents]
    if remember:
        read = ((_stamp(file), Known(it.sha256, listing.listed_at_ns)) for file, it in zip(listing.documents, found, strict=True))
        kept = ((stamp, trusted.get(stamp, it)) for stamp, it in read if it.sha256)
        hashes.remember(corpus, options.plan.source_name, kept)
    return found


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
    from tasks.store import published

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


def check_corpus(corpus: Corpus, source: str) -> None:
    """Refuse a corpus URI that is not one, and a source that lies in it. A corpus may lie in its source: it is left out there.

    Raises:
        InputError: it is no folder, or a folder of something else, or the source's.
    """
    path, documents = Path(os.path.realpath(corpus.uri)), Path(os.path.realpath(source))
    if documents == path:
        raise InputError(f"{corpus} is source and corpus at once: name another folder for the corpus")
    if documents.is_relative_to(path):
        raise InputError(f"source {source} lies in the corpus {corpus}: move the documents out of it")
    path = corpus.folder
    if not is_unicode(os.path.realpath(corpus.uri)):
        raise InputError(f"the path of corpus {corpus} is not UTF-8: name another folder")
    if "://" in corpus.uri:
        raise InputError(f"corpus {corpus} is no folder: name a folder; storage by URL is not supported")
    if path.is_symlink() and not path.exists():
        raise InputError(f"corpus {corpus} is a symbolic link that leads nowhere: name a folder")
    if path.exists() and not path.is_dir():
        raise InputError(f"corpus {corpus} is a file: name a new or empty folder, or a corpus")
    if path.is_dir() and any(path.iterdir()) and not (path / PRIVATE).is_dir():
        raise InputError(f"{corpus} is a folder of something else: name a new or empty folder, or a corpus")


def make_corpus(corpus: Corpus, private: bool) -> None:
    """Make the folders of a new corpus, for this user alone if `private`; a folder that is there keeps its mode.

    Raises:
        CorpusError: they cannot be made.
    """
    path = corpus.folder
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        for folder in (path, path / PRIVATE):
            folder.mkdir(mode=0o700 if private else 0o777, exist_ok=True)
    except OSError as error:
        raise CorpusError(f"corpus {corpus} cannot be made: {files.in_words(error)}") from error


def check_fits(corpus: Corpus, options: RefreshOptions, recipes: Recipes) -> None:
    """Refuse a corpus that this run's options do not fit, or that a rollback holds.

    Raises:
        CorpusError: another format, embedder, set of columns or recipe, or held; says what to do.
    """
    from tasks.refresh.recipes import differences
    from tasks.store import published

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
