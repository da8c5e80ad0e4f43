"""What a corpus remembers from one refresh to the next: that nothing changed, and of which steps a recipe is made."""

import json
from pathlib import Path
from typing import Any

from schemas.corpus import Corpus
from schemas.options.sections import EmbedEngine, RefreshOptions
from schemas.staged import BOUNDARY_STEPS, STEPS
from tasks.refresh.io.plan import logger, read_published_rejects
from tasks.refresh.io.source.listing import Listing as Listing
from tasks.refresh.run import Recipes, find_embedding_engine
from tasks.store import files, published


def remember_recipes(corpus: Corpus, recipes: Recipes) -> None:
    """Keep the recipes of the single steps, so that staged files can be told from waste."""
    record = {step: getattr(recipes, step) for step in (*STEPS, *BOUNDARY_STEPS)}
    files.write_atomically(corpus.recipes(recipes.whole), json.dumps(record).encode())


def place_unchanged_listing(corpus: Corpus, source_name: str) -> Path:
    """Return where the last settled listing of a source is remembered."""
    return corpus.plans / f"{source_name}.settled.json"


def find_corpus_engine(corpus: Corpus, options: RefreshOptions) -> EmbedEngine | None:
    """Return what made the vectors of a corpus that a refresh adds to; None if they are all made anew."""
    if options.publish.rebuild:
        return None
    path, clean = place_unchanged_listing(corpus, options.plan.source_name), corpus.marker("clean")
    try:
        known = json.loads(path.read_text())
        if str(known["generation"]) == clean.read_text() and known["engine"] in ("torch", "openvino"):
            remembered: EmbedEngine = known["engine"]
            return remembered
    except (OSError, ValueError, KeyError):  # then the corpus itself is asked
        pass
    live = published.read_newest_generation(corpus)
    return find_embedding_engine(live.recipe_details) if live else None


def recall_unchanged(listing: Listing, corpus: Corpus, options: RefreshOptions, recipes: Recipes) -> dict[str, Any] | None:
    """Return what is remembered of the last plan if the source and the corpus are as they were then, else None.

    Costs a listing and two small reads: no table is opened.
    """
    path, clean = place_unchanged_listing(corpus, options.plan.source_name), corpus.marker("clean")
    if options.plan.verify or options.publish.rebuild or not (path.exists() and clean.exists()):
        return None
    try:
        known: dict[str, Any] = json.loads(path.read_text())
    except ValueError:  # cut short by a power failure: it only saves work
        return None
    same = known["fingerprint"] == listing.fingerprint(options) and known["recipe"] == recipes.whole and not listing.incomplete
    trusted = listing.trusts(known.get("listed_at_ns", 0)) and listing.memory.kinds.equals(listing.recalled.kinds)
    if not (same and trusted and str(known["generation"]) == clean.read_text()):
        return None
    listing.left_out = known.get("left_out", [])
    return known


def remember_unchanged(listing: Listing, corpus: Corpus, options: RefreshOptions, recipes: Recipes) -> None:
    """Remember that the live generation is what this listing gives; where that cannot be written, the next refresh plans anew.

    Not if a file's time cannot be trusted yet, or if a rejected document is to be tried again.
    """
    try:
        _remember_unchanged(listing, corpus, options, recipes)
    except OSError as error:
        logger.warning("the next refresh compares all documents, because the state of this one cannot be saved: %s", error)


def _remember_unchanged(listing: Listing, corpus: Corpus, options: RefreshOptions, recipes: Recipes) -> None:

    live = published.read_newest_generation(corpus)
    rows = read_published_rejects(corpus, live, options.plan.source_name) if live else []
    rejects = list({row["document_id"]: row for row in rows}.values())
    pending = [row for row in rejects if not row["final"] and row["attempts"] < options.plan.retry_attempts]
    if live is None or pending or listing.incomplete or not listing.is_stable:
        place_unchanged_listing(corpus, options.plan.source_name).unlink(missing_ok=True)
        return
    record = {
        "fingerprint": listing.fingerprint(options),
        "recipe": recipes.whole,
        "engine": recipes.engine,
        "generation": live.generation,
        "listed_at_ns": listing.listed_at_ns,
        "left_out": listing.left_out,
        "counts": {"unchanged": listing.n_documents - len(rejects), "rejected": len(rejects)},
    }
    files.write_atomically(place_unchanged_listing(corpus, options.plan.source_name), json.dumps(record).encode())
    files.write_atomically(corpus.marker("clean"), str(live.generation).encode())
