"""Duplicates: which documents say nearly the same as a newer one, which is shown for them.

In the order of `NewestFirst`, each document is a duplicate of the first one before it that is shown and near to it; if there is
none, it is shown itself. So nothing stays hidden that is not near to what is shown. A change needs a look only at what it may
have changed, and gives what a look at all documents gives.
"""

import heapq
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

Measure = Callable[[int, Sequence[int]], Iterator[float]]
"""Yields the similarity of a document to each of others, in their order."""

Key = tuple[tuple[int, ...], int, tuple[int, ...], str]


class Facts(NamedTuple):
    """What orders documents: columns of their dates (ISO 8601, or null), paths and ids."""

    dates: pa.Array
    paths: pa.Array
    ids: pa.Array

    def order_of(self, at: int) -> Key:
        """Return what sorts documents: the newest first; of equal dates the shortest path, of these the last one.

        >>> columns = ["2024", "2025", None, None], ["a", "b", "notes v1", "notes v2"], ["1", "2", "3", "4"]
        >>> facts = Facts(*map(pa.array, columns))
        >>> sorted(range(4), key=facts.order_of)
        [1, 0, 3, 2]
        """
        date, path, name = (column[at].as_py() for column in self)
        return _descend(date or ""), len(path), _descend(path), name


def _descend(text: str) -> tuple[int, ...]:
    """Return what sorts texts in descending order."""
    return (*(-ord(character) for character in text), 0)


class Clusters:
    """Which documents are shown, and which is shown for each of the others. Documents are numbers; -1 is none."""

    def __init__(
        self, facts: Facts, signatures: NDArray[np.uint32], heads: NDArray[np.int64], measure: Measure, least: float
    ) -> None:
        """`signatures` have a row for each document; `heads` is the one that is shown for it, -1 if it is shown itself.

        Documents are near if their similarity is `least` or more.
        """
        self._facts, self._measure, self._least = facts, measure, least
        self._bands = np.ascontiguousarray(signatures.T)
        self.heads = heads.copy()
        self.similarities = dict[int, float]()

    def update(self, changed: Collection[int]) -> set[int]:
        """Judge documents that are `changed` or new, and all that depends on them; return those that were judged.

        Among `changed` must be those whose head is gone. `similarities` then has those of the judged duplicates.
        """
        self._shown = self.heads < 0
        self._shown[[*changed]] = False
        left = np.flatnonzero(np.isin(self.heads, [*changed]))
        judged = {*changed, *left.tolist()}
        self._shown[left] = False
        self._known = _ShownByBand(self._bands, self._shown, sorted(judged))
        whole = len(judged) == len(self.heads)
        queue = [(self._facts.order_of(at), at) for at in judged]
        heapq.heapify(queue)
        while queue:
            order, at = heapq.heappop(queue)
            was_shown = bool(self._shown[at])
            self._judge(order, at)
            more = list[int]()
            if was_shown and not self._shown[at]:
                more = np.flatnonzero(self.heads == at).tolist()
            elif self._shown[at] and not was_shown and not whole:
                more = self._list_captured(order, at)
            for one in more:
                if one not in judged:
                    judged.add(one)
                    heapq.heappush(queue, (self._facts.order_of(one), one))
        return judged

    def _judge(self, order: Key, at: int) -> None:
        """Find the head of a document, now that all before it in the order are judged."""
        self.similarities.pop(at, None)
        candidates = self._sort_by_order(one for one in self._known.find(at) if one != at)
        earlier = [one for key, one in candidates if key < order]
        near = ((one, found) for one, found in zip(earlier, self._measure(at, earlier), strict=True) if found >= self._least)
        self.heads[at], similarity = next(near, (-1, 0.0))
        if self.heads[at] >= 0:
            self.similarities[at] = similarity
        self._known.mark(at, bool(self.heads[at] < 0))

    def _sort_by_order(self, documents: Iterator[int]) -> list[tuple[Key, int]]:
        return sorted((self._facts.order_of(one), one) for one in documents)

    def _list_captured(self, order: Key, at: int) -> list[int]:
        """Return the documents that a newly shown one is now the head of: near ones after it, whose head is not before it."""
        found = [one for one in _scan(self._bands, at).tolist() if one != at and self._facts.order_of(one) > order]
        free = [one for one in found if self.heads[one] < 0 or self._facts.order_of(int(self.heads[one])) > order]
        return [one for one, near in zip(free, self._measure(at, free), strict=True) if near >= self._least]


def _scan(bands: NDArray[np.uint32], at: int) -> NDArray[np.int64]:
    """Return the documents that share a band with one."""
    found = np.zeros(bands.shape[1], bool)
    for band in bands:
        found |= band == band[at]
    return np.flatnonzero(found)


class _ShownByBand:
    """Those of the shown documents that share a band with a document. Those of `documents` are looked up, not searched for."""

    def __init__(self, bands: NDArray[np.uint32], shown: NDArray[np.bool_], documents: Sequence[int]) -> None:
        self._bands, self._shown, self._listed = bands, shown, {*documents}
        self._by_value: list[dict[int, list[int]]] = []
        for band in bands:
            values = dict[int, list[int]]((value, []) for value in np.unique(band[documents]).tolist())
            among = np.flatnonzero(shown)[np.isin(band[shown], band[documents])]
            for one, value in zip(among.tolist(), band[among].tolist(), strict=True):
                values[value].append(one)
            self._by_value.append(values)

    def find(self, at: int) -> list[int]:
        """Return them, each once."""
        if at not in self._listed:
            return [one for one in _scan(self._bands, at).tolist() if self._shown[one]]
        values = zip(self._by_value, self._bands[:, at].tolist(), strict=True)
        return list({one for known, value in values for one in known[value] if self._shown[one]})

    def mark(self, at: int, shown: bool) -> None:
        """Take note that a document is shown, or is not."""
        if shown and not self._shown[at]:
            for known, value in zip(self._by_value, self._bands[:, at].tolist(), strict=True):
                if value in known:
                    known[value].append(at)
        self._shown[at] = shown
