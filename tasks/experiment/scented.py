"""Scented: the hybrid ranking of a corpus, for chunks in memory."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tasks.search.hybrid import Candidate, Evidence, hybrid_ranked
from tasks.search.lying import lying as lying_at
from tasks.search.lying import shares
from tasks.search.named_places import Named, named_places
from tasks.search.ranking import Place
from tasks.search.scent import (
    HEAD_CHARS,
    HEAD_CHUNKS,
    LEAST_CHUNKS,
    MOST_CHOSEN,
    Fields,
    ScentIndex,
    sampled,
    within_reach,
    without,
)
from tasks.search.trimming import rarity
from tasks.search.within import best_within
from tasks.search.within import within as search_within


class ScentedChunks:
    """Chunks, document by document in their order, and the names and first pages of their documents."""

    def __init__(self, chunks: Sequence[Mapping[str, Any]]) -> None:
        self._chunks = chunks
        self._numbers: dict[str, list[int]] = {}
        for number, chunk in sorted(enumerate(chunks), key=lambda item: item[1]["path"]):
            self._numbers.setdefault(chunk["document_id"], []).append(number)
        self._ids = list(self._numbers)
        self._index = ScentIndex([self._name(of) for of in self._numbers.values()], self._heads(), self._sample())

    def ranked(
        self,
        question: str,
        cosines: NDArray[np.float32],
        lexical: Mapping[int, float],
        candidates: Sequence[int],
        sample: Sequence[int],
    ) -> tuple[list[tuple[int, float]], str]:
        """Rank the candidates, and others of documents that the question means; chunks are named by their numbers.

        Beside them is what is left of the question without the words that name the best chunk's document.

        `cosines` has every chunk, `lexical` those with words of the question; `sample` shows how rare a word is.
        """
        named = named_places(question)
        scent = self._index.scent(named.rest)
        documents = within_reach(scent.chosen, [len(of) for of in self._numbers.values()])
        reached = {self._ids[document] for document in documents}
        lying = self._lying(named, reached or self._pointed_to(candidates))
        known, within = dict.fromkeys([*candidates, *map(int, lying)]), dict[str, float]()
        for document in documents:
            of = self._numbers[self._ids[document]]
            texts = [self._chunks[number]["text"] for number in of]
            words_share = search_within(named.rest, texts, scent.spent[document])
            found = best_within(words_share, cosines[of], np.array([number in known for number in of]))
            within |= {str(of[place]): share for place, share in found.items()}
            known |= dict.fromkeys(of[place] for place in found)
        scents = {self._ids[number]: float(scent.values[number]) for number in np.flatnonzero(scent.values)}
        weights = rarity(named.rest, [self._chunks[number]["text"] for number in sample])
        evidence = Evidence({str(number): score for number, score in lexical.items()}, weights, scents, within, shares(lying))
        ranked = hybrid_ranked({str(number): self._candidate(number, cosines) for number in known}, evidence)
        numbered = [(int(name), score) for name, score in ranked]
        spent = {self._ids[number]: words for number, words in scent.spent.items() if self._ids[number] in reached}
        best = self._chunks[numbered[0][0]]["document_id"] if numbered else ""
        return numbered, without(named.rest, spent.get(best, {}))

    def _pointed_to(self, candidates: Sequence[int]) -> list[str]:
        return list(dict.fromkeys(self._chunks[number]["document_id"] for number in candidates))[:MOST_CHOSEN]

    def _lying(self, named: Named, documents: Iterable[str]) -> dict[str, frozenset[object]]:
        """Return the named places at which chunks of some documents lie. Printed numbers of pages are not known here."""
        if not named.any:
            return {}
        numbers = [number for document in documents for number in self._numbers[document]]
        seen = ((number, self._chunks[number]) for number in numbers)
        found = {str(number): lying_at(named, one["pages"], one["section"], one["embedding_text"]) for number, one in seen}
        return {name: places for name, places in found.items() if places}

    def _candidate(self, number: int, cosines: NDArray[np.float32]) -> Candidate:
        chunk = self._chunks[number]
        return Candidate(float(cosines[number]), Place(chunk["document_id"], chunk["position"]), chunk["section"])

    def _name(self, of: Sequence[int]) -> str:
        first = self._chunks[of[0]]
        return f"{re.sub(r'[.][^./]*$', '', first['path'])} / {first['title']}"

    def _heads(self) -> Fields:
        long = [(document, of) for document, of in enumerate(self._numbers.values()) if len(of) >= LEAST_CHUNKS]
        texts = [" ".join(self._chunks[number]["text"] for number in of[:HEAD_CHUNKS])[:HEAD_CHARS] for _, of in long]
        return Fields([document for document, _ in long], texts)

    def _sample(self) -> Fields:
        places = [number for of in self._numbers.values() for number in of]
        whose = np.repeat(np.arange(len(self._numbers)), [len(of) for of in self._numbers.values()])
        chosen = sampled(len(places)).tolist()
        return Fields(whose[chosen].tolist(), [self._chunks[places[number]]["text"] for number in chosen])
