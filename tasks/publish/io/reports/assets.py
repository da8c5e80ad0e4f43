"""Assets: a corpus and its source as Prefect names them. Each generation that is published is a materialization of its corpus."""

import json
import re
from typing import Any

from prefect.assets import Asset, AssetProperties

from schemas.corpus import Corpus, is_in_store
from schemas.ids import digest
from tasks.publish.io.recall import read_index_recall
from tasks.publish.io.reports.names import name_corpus
from tasks.publish.verdict import Verdict
from tasks.refresh.run import Run
from tasks.store.objects.paths import resolve_place
from tasks.store.published import Generation

KEY_CHARS = 500
"""Prefect takes 512 at most."""

REFUSED_CHARS = re.compile(r"""[\x00-\x20#?&%"'<>\[\]{}|\\^`]""")
"""What Prefect refuses in a key, and other control characters."""


def make_asset_key(place: str) -> str:
    """Return the key of a place, a URL or an absolute path: its URL.

    Prefect does not take every URL: what it refuses becomes _, the driver in a scheme is left out, and a digest at the end keeps
    places apart whose keys would be the same.

    >>> make_asset_key("/data/reports"), make_asset_key("s3://bucket/reports")
    ('file:///data/reports', 's3://bucket/reports')
    >>> make_asset_key("/data/Annual Reports"), make_asset_key("sitemap+https://example.org")
    ('file:///data/Annual_Reports-ef6f10', 'sitemap://example.org-5ed3c9')
    """
    url = place if is_in_store(place) else f"file://{place}"
    scheme, _, rest = url.partition("://")
    key = REFUSED_CHARS.sub("_", f"{scheme.partition('+')[0]}://{rest}")[:KEY_CHARS]
    return key if key == url else f"{key}-{digest(place)[:6]}"


def make_corpus_asset(corpus: Corpus) -> Asset:
    """Return the asset of a corpus."""
    return Asset(key=make_asset_key(resolve_place(corpus.uri)), properties=AssetProperties(name=name_corpus(corpus.uri)))


def describe_materialization(run: Run, generation: Generation, verdict: Verdict) -> dict[str, Any]:
    """Return what is told of a generation with the asset, as JSON values; it names no document, because events stay.

    `recall` has the share of the nearest chunks that the index of vectors finds, and the metric of the gate's questions, in
    [0, 1], where they were measured.
    """
    asked = [json.loads(found.observed) for found in verdict.findings if found.suite == "retrieval"]
    recall = {found["metric"]: found["after"] for found in asked if found["n"]}
    indexed = read_index_recall(run)
    return {
        "generation": generation.generation,
        "run_id": generation.run_id,
        "recipe": generation.recipe,
        "embedder": generation.embedder,
        "counts": generation.counts,
        "n_warnings": len(verdict.warnings),
        "recall": recall if indexed is None else {**recall, "index": indexed},
    }
