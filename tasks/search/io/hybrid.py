"""Hybrid: what hybrid ranking must know of a question, read from a generation."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tasks.search.answered import answered
from tasks.search.hybrid import Candidate, Evidence, hybrid_ranked
from tasks.search.io.candidates import Chunks, Found
from tasks.search.io.scents import Scents
from tasks.search.ranking import Place
from tasks.search.scent import without
from tasks.search.trimming import rarity
from tasks.search.within import best_within
from tasks.search.within import within as search_within
from tasks.store.open_tables import OpenTables

Vector = NDArray[np.float32]


class Judged(NamedTuple):
    """Chunks by the numbers of their rows with their scores, best first, and the cosines of chunks by their places.

    `question` is what is left of the question when its document is found. `answered`: see there; None unless that is known.
    """

    ranked: list[tuple[str, float]]
    cosines: Mapping[Place, float]
    question: str
    answered: float | None = None


class Hybrid:
    """Hybrid ranking of the chunks of a generation."""

    def __init__(self, tables: OpenTables, chunks: Chunks) -> None:
        self._chunks = chunks
        self._scents = Scents(tables, chunks)

    def judged(self, question: str, vector: Vector, found: Found, sample: Mapping[str, str], where: str | None) -> Judged:
        """Rank the chunks that a search has found, and others of documents that the question means, if they meet `where`.

        `sample` has the texts of the best chunks, by the numbers of their rows: they show how rare a word is.
        """
        smelled = self._scents.of(question)
        candidates = {name: Candidate(cosine, found.places[name], found.sections[name]) for name, cosine in found.cosines.items()}
        within: dict[str, float] = {}
        for document in self._chunks.of_documents(list(smelled.spent), where):
            names = list(map(str, document["_rowid"].to_pylist()))
            known = np.array([name in candidates for name in names])
            spent = smelled.spent[document["document_id"][0].as_py()]
            cosines = _cosines(document, vector)
            chosen = best_within(search_within(question, _texts(document), spent), cosines, known)
            candidates |= dict(_candidates(document.take(list(chosen)), cosines[list(chosen)]))
            within |= {names[number]: share for number, share in chosen.items()}
        lexical = {name: score for name, score in found.lexical.items() if name in candidates}
        weights = rarity(question, sample.values())
        likely = answered([(candidates[name].cosine, text) for name, text in sample.items()], weights)
        ranked = hybrid_ranked(candidates, Evidence(lexical, weights, smelled.scents, within))
        best = candidates[ranked[0][0]].place.document_id if ranked else ""
        near = {one.place: one.cosine for one in candidates.values()}
        return Judged(ranked, near, without(question, smelled.spent.get(best, {})), likely)


def _texts(document: pa.Table) -> list[str]:
    """Return the texts of chunks after the paths of their sections, whose words the text itself seldom repeats."""
    columns = (document[name].to_pylist() for name in ("section", "text"))
    return [" ".join([*section, text]) for section, text in zip(*columns, strict=True)]


def _candidates(table: pa.Table, cosines: Vector) -> Iterator[tuple[str, Candidate]]:
    columns = (table[name].to_pylist() for name in ("_rowid", "document_id", "position", "section"))
    for row, document, position, section, cosine in zip(*columns, cosines.tolist(), strict=True):
        yield str(row), Candidate(cosine, Place(document, position), section)


def _cosines(table: pa.Table, vector: Vector) -> Vector:
    vectors = table["vector"].combine_chunks()
    rows = vectors.flatten().to_numpy(zero_copy_only=False).reshape(len(vectors), len(vector))
    found: Vector = rows @ np.asarray(vector, dtype=np.float32)
    return found
