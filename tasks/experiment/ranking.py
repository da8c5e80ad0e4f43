"""Ranking in memory: the chunks of an index in the order in which a search ranks them."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from schemas.options.experiment import Ranking
from tasks.search.ranking import Place, reciprocal_rank_fusion, score_sum, with_neighbours

Numbered = list[tuple[int, float]]
"""Chunks by number with their scores, best first."""


class Ranked(NamedTuple):
    """Chunks by number with their scores, best first; and those whose texts show how rare a word is.

    `question` is what is left of the question when its document is found; None if that is not known.
    """

    chunks: Numbered
    sample: list[int]
    question: str | None = None


def rank(
    cosines: NDArray[np.float32],
    lexical: Mapping[int, float],
    places: Sequence[Place],
    ranking: Ranking,
    depth: int,
    sample: int,
    hybrid: Callable[[Sequence[int], Sequence[int]], tuple[Numbered, str]] | None = None,
) -> Ranked:
    """Rank chunks for a question from their cosines to it, and from the BM25 of those that full-text search found, best first.

    `places` has every chunk. The first `depth` chunks by cosine take part; the first `sample` of each list show how rare a word
    is. Equal scores keep the order of the chunks. `hybrid` ranks the candidates of "sum", with this sample, as a corpus does it;
    without it, documents do not count.
    """
    near = [int(number) for number in np.argsort(-cosines, kind="stable")[:depth]]
    if ranking == "dense":
        return Ranked([(number, float(cosines[number])) for number in near], near[:sample])
    if ranking == "lexical":
        return Ranked(list(lexical.items()), list(lexical)[:sample])
    both = list(dict.fromkeys([*near[:sample], *list(lexical)[:sample]]))
    if ranking == "rrf":
        found = reciprocal_rank_fusion([list(map(str, near)), list(map(str, lexical))])
    elif hybrid is not None:
        hybrid_found, left = hybrid(list(dict.fromkeys([*near, *lexical])), both)
        return Ranked(hybrid_found, both, left)
    else:
        names = dict.fromkeys([*near, *lexical])
        words = {str(number): score for number, score in lexical.items()}
        found = score_sum({str(number): float(cosines[number]) for number in names}, words)
        found = with_neighbours(found, {str(number): places[number] for number in names})
    return Ranked([(int(name), score) for name, score in found], both)
