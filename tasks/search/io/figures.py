"""Find figures: rank the figures of the live generation by their pictures and their descriptions."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict

from schemas.access import Principal
from schemas.corpus import Corpus
from schemas.errors import CorpusError
from schemas.options.sections import DescribeOptions
from tasks.search.bm25 import bm25
from tasks.search.io.duplicates import read_duplicates
from tasks.search.io.filters import read_rows_where
from tasks.search.io.retrieve import check_question
from tasks.search.ranking import reciprocal_rank_fusion
from tasks.store import published
from tasks.store.access import OpenTables

COLUMNS = ["element_id", "document_id", "page_number", "bbox", "kind", "confidence", "embedding", "description", "caption"]
CANDIDATES = 100
"""How many figures of each ranked list take part in the fusion, at least."""


class FigureHit(BaseModel):
    """One figure with its citation. `score` is the fused score; higher is better. `bbox` is in PDF points from the top left."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    rank: int
    score: float
    element_id: str
    document_id: str
    path: str
    page_number: int
    bbox: dict[str, float] | None
    type: str
    confidence: float | None
    description: str
    caption: str | None


def find_figures(
    corpus: Corpus,
    question: str,
    k: int,
    where: str | None = None,
    show_all: bool = False,
    principal: Principal | None = None,
) -> list[FigureHit]:
    """Return the best `k` figures that a principal may see for a question, best first.

    CLIP similarity of pictures is fused with BM25 of descriptions.

    `where` is a condition on the documents of the figures. Of documents that say nearly the same, those of the newest, unless
    `show_all`.

    Raises:
        AccessError: see `find_access_condition`.
        CorpusError: nothing is published, or the figures were described with another CLIP model than the installed one.
        InputError: the question is blank or not UTF-8, or the condition is not valid.
    """
    check_question(question)
    live = published.read_live_generation(corpus)
    tables = OpenTables(corpus, live, principal)
    found = read_rows_where(tables, "documents", ["document_id", "path"], where).to_pylist()
    paths = {row["document_id"]: row["path"] for row in found}
    if not show_all:
        hidden = read_duplicates(tables).find_hidden(paths)
        paths = {name: path for name, path in paths.items() if name not in hidden}
    rows = [row for row in tables.read("figures", COLUMNS).to_pylist() if row["document_id"] in paths]
    if not rows:
        return []
    by_id = {row["element_id"]: row for row in rows}
    depth = max(k, CANDIDATES)
    rankings = [_rank_figures_by_words(question, rows)[:depth], _rank_figures_by_pictures(corpus, live, question, rows)[:depth]]
    fused = reciprocal_rank_fusion(rankings)[:k]
    return [_make_figure_hit(rank, score, by_id[name], paths) for rank, (name, score) in enumerate(fused, start=1)]


def _rank_figures_by_words(question: str, rows: list[dict[str, Any]]) -> list[str]:
    scores = bm25(question, [row["description"] for row in rows])
    return [rows[n]["element_id"] for n in np.argsort(-np.array(scores), kind="stable") if scores[n] > 0]


def _rank_figures_by_pictures(
    corpus: Corpus, live: published.Generation, question: str, rows: Sequence[Mapping[str, object]]
) -> list[str]:
    seen = [row for row in rows if row["embedding"] is not None]
    if not seen:
        return []
    from tasks.describe.io.clip import Clip
    from tasks.describe.io.clip_files import gather_clip_facts

    facts = json.loads(live.recipe_details)["describe"]
    options = DescribeOptions(**facts["options"])
    if gather_clip_facts(options.clip_model) != facts["engine"]:
        raise CorpusError(f"CLIP model {options.clip_model} is not the one that {corpus} was described with: install that model")
    similar = np.array([row["embedding"] for row in seen], np.float32) @ Clip(options.clip_model).texts([question])[0]
    return [seen[n]["element_id"] for n in np.argsort(-similar, kind="stable")]


def _make_figure_hit(rank: int, score: float, row: dict[str, Any], paths: dict[str, str]) -> FigureHit:
    kept = {name: row[name] for name in COLUMNS if name not in ("kind", "embedding")}
    return FigureHit(rank=rank, score=score, path=paths[row["document_id"]], type=row["kind"], **kept)
