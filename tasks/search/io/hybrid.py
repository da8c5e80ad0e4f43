"""Hybrid: what hybrid ranking must know of a question, read from a generation."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tasks.search.answered import answered
from tasks.search.hybrid import Candidate, Evidence, hybrid_ranked
from tasks.search.io.candidates import Chunks, Found, cosines_of, paths
from tasks.search.io.places import SEEN, lying_in, pointed_to, printed_offs
from tasks.search.io.scents import Scents, Smelled
from tasks.search.lying import at_all, shares
from tasks.search.named_places import Named
from tasks.search.ranking import Place
from tasks.search.scent import without
from tasks.search.trimming import rarity_of, stems
from tasks.search.within import best_within, within
from tasks.store.published import OpenTables

Vector = NDArray[np.float32]


class Judged(NamedTuple):
    """Chunks by the numbers of their rows with their scores, best first, and the cosines of chunks by their places.

    `question` is what is left of the question when its document is found, `rarity` has the weights of its words. `answered`: see
    there; None unless that is known. `at_places` are the chunks at all of the places that the question names.
    """

    ranked: list[tuple[str, float]]
    cosines: Mapping[Place, float]
    question: str
    rarity: Mapping[str, float]
    answered: float | None = None
    at_places: frozenset[str] = frozenset()


class Opened(NamedTuple):
    """The chunks of a document that is looked into, the numbers of their rows, and for each what `within` says of its words.

    `words` is None for a document that the question does not mean: it is looked into for the places that are named.
    """

    chunks: pa.Table
    rows: list[str]
    words: NDArray[np.float64] | None

    @property
    def name(self) -> str:
        """The id of the document."""
        name: str = self.chunks["document_id"][0].as_py()
        return name


class Meant(NamedTuple):
    """What a question means, before it has a vector: the places that it names, its words, and the documents that it means."""

    named: Named
    words: frozenset[str]
    smelled: Smelled
    documents: list[Opened]


class Looked(NamedTuple):
    """What looking into documents adds: chunks by id, and of some the values of `within` and the named places."""

    candidates: dict[str, Candidate]
    within: dict[str, float]
    lying: dict[str, frozenset[object]]


class Hybrid:
    """Hybrid ranking of the chunks of a generation."""

    def __init__(self, tables: OpenTables, chunks: Chunks) -> None:
        self._tables, self._chunks = tables, chunks
        self._scents = Scents(tables, chunks)

    def meant(self, named: Named, where: str | None) -> Meant:
        """Return what a question means that names places. The chunks are those that meet `where`."""
        smelled = self._scents.of(named.rest)
        opened = self._opened(list(smelled.spent), named, where)
        documents = [one._replace(words=within(named.rest, _texts(one.chunks), smelled.spent[one.name])) for one in opened]
        return Meant(named, stems(named.rest), smelled, documents)

    def judged(
        self, meant: Meant, vector: Vector, found: Found, sample: Mapping[str, frozenset[str]], where: str | None
    ) -> Judged:
        """Rank the chunks that a search has found, and others of documents that the question means, if they meet `where`.

        `sample` has the words of the question in the best chunks, by the numbers of their rows: they show how rare a word is.
        """
        smelled, held = meant.smelled, list(sample.values())
        candidates = {name: Candidate(cosine, found.places[name], found.sections[name]) for name, cosine in found.cosines.items()}
        looked = self._looked_into(meant, vector, candidates, where)
        candidates |= looked.candidates
        lexical = {name: score for name, score in found.lexical.items() if name in candidates}
        weights = rarity_of(meant.words, held)
        likely = answered([(candidates[name].cosine, of_text) for name, of_text in zip(sample, held, strict=True)], weights)
        evidence = Evidence(lexical, weights, smelled.scents, looked.within, shares(looked.lying))
        ranked = hybrid_ranked(candidates, evidence)
        best = candidates[ranked[0][0]].place.document_id if ranked else ""
        near = {one.place: one.cosine for one in candidates.values()}
        left = without(meant.named.rest, smelled.spent.get(best, {}))
        return Judged(ranked, near, left, rarity_of(stems(left), held), likely, at_all(looked.lying))

    def _opened(self, documents: Sequence[str], named: Named, where: str | None) -> list[Opened]:
        tables = self._chunks.of_documents(documents, where, SEEN if named.any else ())
        return [Opened(table, list(map(str, table["_rowid"].to_pylist())), None) for table in tables]

    def _looked_into(self, meant: Meant, vector: Vector, known: Mapping[str, Candidate], where: str | None) -> Looked:
        """Look into the documents that the question means; for the places that it names into the nearest, if it means none."""
        looked, named, documents = Looked({}, {}, {}), meant.named, meant.documents
        if named.any and not meant.smelled.spent:
            documents = self._opened(self._scents.reachable(pointed_to(known.values())), named, where)
        offs = printed_offs(self._tables, [one.name for one in documents] if named.pages else [])
        for one in documents:
            here = lying_in(named, one.chunks, offs.get(one.name, 0)) if named.any else {}
            looked.lying.update(here)
            cosines = cosines_of(one.chunks, vector)
            chosen = [number for number, row in enumerate(one.rows) if row in here]
            if one.words is not None:
                found = best_within(one.words, cosines, np.array([row in known or row in here for row in one.rows]))
                looked.within.update({one.rows[number]: share for number, share in found.items()})
                chosen = list(found)
            if chosen:
                looked.candidates.update(_candidates(one.chunks.take(chosen), cosines[chosen]))
        return looked


def _texts(document: pa.Table) -> list[str]:
    """Return the texts of chunks after the paths of their sections, whose words the text itself seldom repeats."""
    texts = document["text"].to_pylist()
    return [" ".join([*section, text]) for section, text in zip(paths(document["section"]), texts, strict=True)]


def _candidates(table: pa.Table, cosines: Vector) -> Iterator[tuple[str, Candidate]]:
    columns = (table[name].to_pylist() for name in ("_rowid", "document_id", "position"))
    for row, document, position, section, cosine in zip(*columns, paths(table["section"]), cosines.tolist(), strict=True):
        yield str(row), Candidate(cosine, Place(document, position), section)
