"""An index of chunks in memory, for comparing recipes: exact dense search, LanceDB's full-text search, vectors cached by text."""

import hashlib
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from schemas.options.sections import ChunkOptions, DescribeOptions, EmbedOptions, SettledEngine
from tasks.chunk.chunk import BoundaryInputs, chunk_content, sentences_of
from tasks.describe.io.describe import OcrSettings, describe_content
from tasks.embed.io.embedder import Embedder
from tasks.embed.io.tokenizer import load_tokenizer, model_dir
from tasks.parse.text.markdown import parse_markdown
from tasks.search.io.retrieve import CANDIDATES, CHUNKS_PER_RESULT, SAMPLE
from tasks.search.neighbours import Candidate, join_neighbours
from tasks.search.ranking import reciprocal_rank_fusion, score_sum
from tasks.search.trimming import TrimRule, best_runs, rarity, units

Vectors = NDArray[np.float32]
DType = Literal["auto", "float32", "bfloat16"]
Span = tuple[str, int, int]
"""Corpus, start and end in characters."""

MODEL = "all-MiniLM-L6-v2"


Described = tuple[str, dict[str, Any]]
"""A name and a row of DESCRIBED."""


class Ranking(NamedTuple):
    """Chunks as a question ranks them, and those whose texts tell how rare a word is."""

    ranked: list[int]
    sample: list[int]


def described(name: str, text: str, plain: bool) -> Described:
    """Return a Markdown text with its elements, or without any if it is to be taken as `plain`."""
    if plain:
        return name, {"text": text, "elements": [], "figures": [], "rejects": []}
    return name, describe_content(parse_markdown(text.encode()), OcrSettings(DescribeOptions(), "eng")).to_pylist()[0]


class CachedEmbedder:
    """Vectors of texts, each computed once and kept in a file; of texts above 256 tokens only the beginning counts."""

    def __init__(self, folder: Path, dtype: DType = "auto", engine: SettledEngine = "torch") -> None:
        """Open the file in `folder`, which holds the vectors of one `dtype` and `engine` only."""
        folder.mkdir(parents=True, exist_ok=True)
        self._store = sqlite3.connect(folder / "vectors.sqlite")
        self._store.execute("CREATE TABLE IF NOT EXISTS vectors (key TEXT PRIMARY KEY, vector BLOB)")
        self._embedder = Embedder(MODEL, EmbedOptions(too_long="truncate", dtype=dtype, engine=engine))

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of `texts`, in their order."""
        keys = [hashlib.sha256(text.encode()).hexdigest() for text in texts]
        known = dict(self._known(sorted(set(keys))))
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        for at in range(0, len(missing), 256):
            part = list(missing)[at : at + 256]
            rows = [
                (key, row.tobytes()) for key, row in zip(part, self._embedder.encode([missing[k] for k in part]), strict=True)
            ]
            self._store.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?)", rows)
            self._store.commit()
            known.update(rows)
        return np.stack([np.frombuffer(known[key], dtype=np.float32) for key in keys])

    def _known(self, keys: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        for at in range(0, len(keys), 500):
            part = keys[at : at + 500]
            marks = ",".join("?" * len(part))
            yield from self._store.execute(f"SELECT key, vector FROM vectors WHERE key IN ({marks})", part)


class ChunkIndex:
    """All chunks of several texts under one recipe."""

    def __init__(
        self,
        described: Sequence[Described],
        options: ChunkOptions,
        embedder: CachedEmbedder,
        questions: Sequence[str],
        chunk_embedder: CachedEmbedder,
    ) -> None:
        self.texts = {name: row["text"] for name, row in described}
        self._embedder, self._questions = embedder, questions
        count = load_tokenizer(model_dir(MODEL)).count
        self.chunks: list[dict[str, Any]] = []
        for name, row in described:
            boundaries = (
                BoundaryInputs(embedder.encode(sentences_of(row).texts)) if options.sentence_vectors else BoundaryInputs()
            )
            rows = chunk_content(row, options, count, boundaries)["chunks"][0].as_py()
            self.chunks += [{**row, "corpus": name, "position": i} for i, row in enumerate(rows)]
        self.n_too_long = sum(row["n_tokens"] > 256 for row in self.chunks)
        self.vectors = embedder.encode(questions)
        self.cosines = self.vectors @ chunk_embedder.encode([row["embedding_text"] for row in self.chunks]).T
        self._lexical: list[dict[str, float]] | None = None

    @property
    def lexical(self) -> list[dict[str, float]]:
        """BM25 of the best chunks for each question, by index, as LanceDB gives it."""
        if self._lexical is None:
            self._lexical = list(self._full_text())
        return self._lexical

    def _full_text(self) -> Iterator[dict[str, float]]:
        import lancedb
        from lancedb.index import FTS
        from lancedb.query import MatchQuery

        with tempfile.TemporaryDirectory() as folder:
            rows = pa.table({"chunk": [str(i) for i in range(len(self.chunks))], "text": [row["text"] for row in self.chunks]})
            table = lancedb.connect(folder).create_table("chunks", rows)
            table.create_index("text", config=FTS(with_position=False))
            for question in self._questions:
                found = table.search(MatchQuery(question, "text"), query_type="fts").limit(CANDIDATES).to_arrow()
                yield dict(zip(found["chunk"].to_pylist(), found["_score"].to_pylist(), strict=True))

    def rank(self, mode: str) -> list[Ranking]:
        """Return the best chunks for each question; mode is dense, lexical, rrf, or sum."""
        return [self._rank(i, mode) for i in range(len(self._questions))]

    def _rank(self, question: int, mode: str) -> Ranking:
        near = np.argsort(-self.cosines[question], kind="stable")[:CANDIDATES].tolist()
        if mode == "dense":
            return Ranking(near, near[:SAMPLE])
        lexical = self.lexical[question]
        sample = list(dict.fromkeys([*near[:SAMPLE], *map(int, list(lexical)[:SAMPLE])]))
        if mode == "lexical":
            return Ranking(list(map(int, lexical)), sample)
        if mode == "rrf":
            return Ranking([int(name) for name, _ in reciprocal_rank_fusion([list(map(str, near)), list(lexical)])], sample)
        names = dict.fromkeys([*map(str, near), *lexical])
        cosines = {name: float(self.cosines[question, int(name)]) for name in names}
        return Ranking([int(name) for name, _ in score_sum(cosines, lexical)], sample)

    def chunk_results(self, rankings: Sequence[Ranking], k: int) -> list[list[Span]]:
        """Return the best `k` chunks for each question."""
        return [[self._span(i) for i in ranking.ranked[:k]] for ranking in rankings]

    def parent_results(self, rankings: Sequence[Ranking], k: int) -> list[list[Span]]:
        """Return the parents of the best chunks for each question, each once."""
        found = []
        for ranking in rankings:
            rows = [self.chunks[i] for i in ranking.ranked[: k * CHUNKS_PER_RESULT]]
            spans = dict.fromkeys((row["corpus"], row["parent_start_char"], row["parent_end_char"]) for row in rows)
            found.append(list(spans)[:k])
        return found

    def passage_results(self, rankings: Sequence[Ranking], k: int, rule: TrimRule | None = None) -> list[list[Span]]:
        """Return the best `k` passages for each question, joined and trimmed as `pagemill search` does."""
        joined = [
            join_neighbours([self._candidate(i) for i in ranking.ranked[: k * CHUNKS_PER_RESULT]], k) for ranking in rankings
        ]
        found = [[units(self.texts[passage[0].document_id], passage) for passage in passages] for passages in joined]
        results = []
        for i, (passages, spans) in enumerate(zip(joined, found, strict=True)):
            names = [passage[0].document_id for passage in passages]
            texts = [[self.texts[name][a:b] for a, b in of_passage] for name, of_passage in zip(names, spans, strict=True)]
            cosines = [(self._embedder.encode(of_passage) @ self.vectors[i]).tolist() for of_passage in texts]
            weights = rarity(self._questions[i], [self.chunks[j]["text"] for j in rankings[i].sample])
            runs = best_runs(texts, cosines, weights, rule)
            results.append([(name, s[a][0], s[b][1]) for name, s, (a, b) in zip(names, spans, runs, strict=True)])
        return results

    def _span(self, i: int) -> Span:
        row = self.chunks[i]
        return row["corpus"], row["start_char"], row["end_char"]

    def _candidate(self, i: int) -> Candidate:
        row = self.chunks[i]
        return Candidate(str(i), row["corpus"], row["position"], row["start_char"], row["end_char"], row["kind"])
