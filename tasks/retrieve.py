"""Retrieve: answer questions from the live generation, never from anything newer or older."""

import json
from collections.abc import Sequence
from typing import Any, Literal

import pyarrow as pa
from pydantic import BaseModel, ConfigDict

from schemas.errors import CorpusError, InputError
from schemas.options import EmbedOptions
from tasks.adapters import lance, published
from tasks.adapters.published import Generation
from tasks.transforms.ranking import reciprocal_rank_fusion

Mode = Literal["hybrid", "dense", "fts"]

CANDIDATES = 100
"""Ranks of each list that take part in fusion, at least."""

COLUMNS = [
    *("chunk_id", "document_id", "path", "title", "start_char", "end_char", "pages", "boxes", "section", "kind", "text"),
    "embedding_text",
]


class Box(BaseModel):
    """A rectangle on a page, in PDF points from the page's top left."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    page_number: int
    bbox: dict[str, float]


class Hit(BaseModel):
    """One result, with its citation. The score is cosine similarity, BM25 or the fused rank, by mode; higher is better.

    `embedding_text` is `text` with the caption and header rows that the rows of a long table need to be understood.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    rank: int
    score: float
    chunk_id: str
    document_id: str
    path: str
    title: str
    start_char: int
    end_char: int
    pages: list[int]
    boxes: list[Box]
    section: list[str]
    kind: str
    text: str
    embedding_text: str


class Reader:
    """The live generation of a corpus, open for questions."""

    def __init__(self, corpus: str, live: Generation) -> None:
        """Open the chunks at the version that `live` names."""
        self.corpus = corpus
        self.live = live
        self.generation = live.generation
        self.recipe = live.recipe
        self._chunks = lance.open_table(corpus, "chunks", live.versions["chunks"])

    def documents(self, columns: list[str]) -> pa.Table:
        """Return `columns` of the published documents."""
        return published.read_columns(self.corpus, self.live, "documents", columns)

    @property
    def embed_options(self) -> EmbedOptions:
        """How the corpus was embedded: questions must be embedded likewise."""
        facts: dict[str, Any] = json.loads(self.live.recipe_details)["embed"]["options"]
        return EmbedOptions(**facts)

    def search(self, question: str, k: int, mode: Mode = "hybrid", where: str | None = None) -> list[Hit]:
        """Return the best `k` chunks for a question, best first.

        Raises:
            InputError: the question is blank, `k` is no count, or `where` is no condition on the chunks' columns.
        """
        return self.search_many([question], k, mode, where)[0]

    def search_many(self, questions: Sequence[str], k: int, mode: Mode = "hybrid", where: str | None = None) -> list[list[Hit]]:
        """Return the best `k` chunks for each question; the questions are embedded together."""
        if k < 1:
            raise InputError(f"k is {k}: ask for at least one result")
        if any(not question.strip() for question in questions):
            raise InputError("the question is blank: ask something")
        vectors: Sequence[Any] = [None] * len(questions) if mode == "fts" else self._embed(questions)
        return [self._rank(question, vector, k, mode, where) for question, vector in zip(questions, vectors, strict=True)]

    def _embed(self, questions: Sequence[str]) -> Any:
        from tasks.adapters.embedder import Embedder, embedder_facts
        from tasks.recipe import embedder_digest

        options = self.embed_options
        if embedder_digest(embedder_facts(options.model)) != self.live.embedder:
            raise CorpusError(
                f"model {options.model} is not the one that corpus {self.corpus} was embedded with: install that one"
            )
        return Embedder(options.model, options).encode(list(questions))

    def _rank(self, question: str, vector: Any, k: int, mode: Mode, where: str | None) -> list[Hit]:
        depth = k if mode != "hybrid" else max(k, CANDIDATES)
        found: list[dict[str, dict[str, Any]]] = []
        if mode != "fts":
            found.append(
                self._run(self._chunks.search(vector, vector_column_name="vector").distance_type("cosine"), depth, where)
            )
        if mode != "dense" and self._chunks.count_rows():
            found.append(self._run(self._match(question), depth, where))
        rows = {name: row for ranking in found for name, row in ranking.items()}
        if mode == "hybrid":
            ranked = reciprocal_rank_fusion([list(ranking) for ranking in found])[:k]
        else:
            ranked = [(name, score_of(row)) for ranking in found for name, row in ranking.items()]
        return [_hit(rank, score, rows[name]) for rank, (name, score) in enumerate(ranked, start=1)]

    def _match(self, question: str) -> Any:
        from lancedb.query import MatchQuery

        return self._chunks.search(MatchQuery(question, "text"), query_type="fts")

    def _run(self, query: Any, depth: int, where: str | None) -> dict[str, dict[str, Any]]:
        try:
            query = query.where(where, prefilter=True) if where else query
            rows = query.limit(depth).to_arrow()
        except (ValueError, RuntimeError, OSError) as error:
            if not where:
                raise
            names = ", ".join(self._chunks.schema.names)
            raise InputError(f"the condition {where!r} does not fit ({error}); the columns are {names}") from error
        return {row["chunk_id"]: row for row in rows.to_pylist()}


def score_of(row: dict[str, Any]) -> float:
    """Return a row's cosine similarity or BM25 score, whichever it was found by."""
    return 1.0 - row["_distance"] if "_distance" in row else float(row["_score"])


def _hit(rank: int, score: float, row: dict[str, Any]) -> Hit:
    return Hit(rank=rank, score=score, **{name: row[name] for name in COLUMNS})


def open_reader(corpus: str) -> Reader:
    """Open the live generation of `corpus`.

    Raises:
        CorpusError: nothing was published there yet, or it has another format.
    """
    return Reader(corpus, published.live(corpus))
