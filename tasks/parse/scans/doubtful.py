"""Doubtful blocks and cells: what OCR read badly, such as the cells of a column that it took for a line from top to bottom."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from tasks.parse.layout.geometry import Box, centre, holds, union
from tasks.parse.scans.missed import beside, nearest_of, place_beside
from tasks.parse.scans.thresholds import SURE
from tasks.parse.scans.words import OcrWord, mean_confidence, strength

DOUBTFUL = 0.65
"""Mean confidence below which a block is read again; its new words are taken if they are SURE."""


def doubtful_in(words: Sequence[OcrWord]) -> list[Box]:
    """Return the boxes, in pixels, of the blocks of a page that were read with little confidence."""
    blocks: dict[int, list[OcrWord]] = defaultdict(list)
    for word in words:
        blocks[word.paragraph[0]].append(word)
    return [
        union(word.box for word in block) for block in blocks.values() if _length(block) > 1 and mean_confidence(block) < DOUBTFUL
    ]


def with_doubtful(words: Sequence[OcrWord], again: Sequence[OcrWord], boxes: Sequence[Box]) -> list[OcrWord]:
    """Return words with those that were read `again` in the boxes, where they are surer and more, in place of what was there.

    Those beside other words come into the line of the nearest; the others follow all words.
    """
    found = list(words)
    for n, box in enumerate(boxes):
        new = [word for word in again if holds(box, centre(word.box))]
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


def doubtful_cells_in(words: Sequence[OcrWord]) -> list[Box]:
    """Return the boxes, in pixels, of the words with others far beside them that were read with little confidence.

    Tesseract reads a line as one text, and what stands in its other cells misleads it. Read by itself, a cell is clearer.
    """
    return [
        box for cell in _cells(words) if _is_unsure(cell) and _has_others(box := union(word.box for word in cell), cell, words)
    ]


def _cells(words: Sequence[OcrWord]) -> Iterator[list[OcrWord]]:
    """Yield the words of each line that stand together."""
    cell: list[OcrWord] = []
    for before, word in zip((None, *words), words, strict=False):
        if before and ((before.paragraph, before.line) != (word.paragraph, word.line) or _is_apart(before, word)):
            yield cell
            cell = []
        cell.append(word)
    if cell:
        yield cell


def _is_apart(before: OcrWord, word: OcrWord) -> bool:
    height = max(before.box[3] - before.box[1], word.box[3] - word.box[1])
    return word.box[0] - before.box[2] > height


def _is_unsure(cell: Sequence[OcrWord]) -> bool:
    return _length(cell) > 0 and mean_confidence(cell) < SURE


def _has_others(box: Box, cell: Sequence[OcrWord], words: Sequence[OcrWord]) -> bool:
    """Return whether words of a page are beside a cell, in its row."""
    return len(beside(box, words)) > len(beside(box, cell))


def with_cells(words: Sequence[OcrWord], again: Sequence[OcrWord], boxes: Sequence[Box]) -> list[OcrWord]:
    """Return words with those that were read `again` in the boxes of cells, where they are surer and more, in their lines."""
    found = list(words)
    for box in boxes:
        new = [word for word in again if holds(box, centre(word.box))]
        old = [n for n, word in enumerate(found) if holds(box, centre(word.box))]
        if not old or mean_confidence(new) < SURE or strength(new) <= strength([found[n] for n in old]):
            continue
        first = found[old[0]]
        placed = [word._replace(paragraph=first.paragraph, line=first.line) for word in sorted(new, key=lambda word: word.box[0])]
        kept = [word for n, word in enumerate(found) if n not in old]
        found = [*kept[: old[0]], *placed, *kept[old[0] :]]
    return found


def _length(words: Sequence[OcrWord]) -> int:
    return sum(map(str.isalnum, "".join(word.text for word in words)))
