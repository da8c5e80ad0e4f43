"""Doubtful blocks: what OCR read badly, such as the cells of a column that it took for a line from top to bottom."""

from collections import defaultdict
from collections.abc import Sequence

from tasks.parse.layout.geometry import Box, centre, grown, holds, union
from tasks.parse.scans.missed import beside, nearest_of, place_beside
from tasks.parse.scans.words import OcrWord, mean_confidence, strength

DOUBTFUL, SURE = 0.65, 0.75
"""Mean confidence below which a block is read again, and smallest one with which its new words are taken."""
FEWEST = 2
"""Fewest letters and digits of a block that is read again."""
EDGE = 1.0
"""What a word read again may reach beyond its block, in pixels."""


def doubtful_in(words: Sequence[OcrWord]) -> list[Box]:
    """Return the boxes, in pixels, of the blocks of a page that were read with little confidence."""
    blocks: dict[int, list[OcrWord]] = defaultdict(list)
    for word in words:
        blocks[word.paragraph[0]].append(word)
    return [
        union(word.box for word in block)
        for block in blocks.values()
        if _length(block) >= FEWEST and mean_confidence(block) < DOUBTFUL
    ]


def with_doubtful(words: Sequence[OcrWord], again: Sequence[OcrWord], boxes: Sequence[Box]) -> list[OcrWord]:
    """Return words with those that were read `again` in the boxes, where they are surer and more, in place of what was there.

    Those beside other words come into the line of the nearest; the others follow all words.
    """
    found = list(words)
    for n, box in enumerate(boxes):
        new = [word for word in again if holds(grown(box, EDGE, EDGE), centre(word.box))]
        old = [word for word in found if holds(box, centre(word.box))]
        if mean_confidence(new) < SURE or strength(new) <= strength(old):
            continue
        found = [word for word in found if not any(word is other for other in old)]
        for word in new:
            nearest = nearest_of(word.box, beside(word.box, found))
            if nearest:
                place_beside(found, word, nearest)
            else:
                found.append(word._replace(paragraph=(-1 - n, word.paragraph[1])))
    return found


def _length(words: Sequence[OcrWord]) -> int:
    return sum(map(str.isalnum, "".join(word.text for word in words)))
