"""Strokes: how thick the letters of words are in the picture of a page. Bold type has thicker strokes for its size."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt

from tasks.parse.layout.geometry import Box
from tasks.parse.layout.pixels import Picture
from tasks.parse.scans.typefaces.sizes import is_joined, unlike
from tasks.parse.scans.words import OcrWord, ScannedWord

FAINT = 0.3
"""Darkness, from paper (0) to ink (1), below which a pixel belongs to no stroke: grain, and what shines through."""
MIN_RUNS = 6
"""Fewest crossings of a stroke from which its width can be told."""
MIN_CONTRAST = 40.0
"""Smallest difference of grey between ink and paper, of 255."""
MIN_INK = 0.02
"""Smallest share of dark pixels in the box of a mark that is drawn."""
BOLDER, UNSURE = 1.25, 1.1
"""Strokes of bold type are wider than those of the page's text, for their type size, by this factor: in 235 pages of 25 styles,
light words reach 1.2 and bold ones begin at 1.15. Those that are at most by the second one from it are unsure."""
LIKE_SIZES = 0.2
"""Type sizes whose relative difference is smaller count as one for the width of strokes."""
MIN_LETTERS = 3
"""Fewest letters of a word whose strokes tell its weight."""
LEAST_LIGHT, MOST_LIGHT = 0.25, 0.65
"""Shares of a page's letters in light type between which its usual stroke may be one of bold type, as on a form of labels and
values. On other pages light type is .7 and more of the letters, and two groups are often those of two families of type."""
PARTED, SPREAD = 1.3, 4.0
"""Smallest ratio of the weights of bold and light type, and smallest distance of the two by their spread (root of the mean
square, of logarithms). In 11 forms of ten styles they are 1.34 to 1.81, and 4.2 to 14; in pages of one weight that fall into two
groups by chance 1.28 or less, and 3.7 or less."""


def without_phantoms(words: Sequence[OcrWord], picture: Picture) -> list[OcrWord]:
    """Return words without the marks that OCR puts where nothing is drawn: in wide gaps, and where a rule was painted over.

    A mark has neither letter nor digit. `picture` is dark on light, and the boxes of the words are in its pixels.
    """
    middle = (float(np.median(picture)) + float(picture.min(initial=255))) / 2
    return [word for word in words if any(map(str.isalnum, word.text)) or _is_inked(_part(picture, word.box), middle)]


def _is_inked(part: Picture, middle: float) -> bool:
    return bool(part.size) and float((part < middle).mean()) >= MIN_INK


def _part(picture: Picture, box: Box) -> Picture:
    x0, y0, x1, y1 = box
    return picture[max(0, int(y0)) : int(y1) + 1, max(0, int(x0)) : int(x1) + 1]


def stroke_widths(picture: Picture, boxes: Sequence[Box]) -> list[float | None]:
    """Return the usual width of the upright strokes in each box, in pixels; None where too little is drawn.

    Boxes are in pixels. A row of pixels crosses a stroke in a run of dark ones; how dark they are in all is the width of the
    stroke, to parts of a pixel, also where its edges are blurred. Letters that are light on dark are measured alike.
    """
    return [_width(_part(picture, box)) for box in boxes]


def _width(part: Picture) -> float | None:
    if min(part.shape) < 3:
        return None
    ink, paper = (float(level) for level in np.percentile(part, (5, 95)))
    if abs(paper - ink) < MIN_CONTRAST:
        return None
    if float(np.median(part)) < (paper + ink) / 2 and float(np.median(_border(part))) < (paper + ink) / 2:
        ink, paper = paper, ink
    dark = np.clip((paper - part.astype(np.float32)) / (paper - ink), 0, 1)
    masses = _masses(np.pad(dark, ((0, 0), (1, 1))))
    return float(np.median(masses)) if len(masses) >= MIN_RUNS else None


def _border(part: Picture) -> Any:
    return np.concatenate([part[0], part[-1], part[:, 0], part[:, -1]])


def _masses(dark: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    """Return how dark each run along a row is in all; `dark` begins and ends with a light column."""
    steps = np.diff((dark > FAINT).astype(np.int8), axis=1)
    rows, before = np.nonzero(steps == 1)
    after = np.nonzero(steps == -1)[1] + 1
    sums = np.cumsum(dark, axis=1, dtype=np.float64)
    found: npt.NDArray[np.float64] = sums[rows, after] - sums[rows, before] + dark[rows, before]
    return found


def with_weights(seen: Sequence[ScannedWord], widths: Sequence[float | None]) -> list[ScannedWord]:
    """Return words with those in bold type marked; `widths` are those of their strokes, in points.

    Strokes of bold type are half as wide again as those of the page's text, for their type size. A short word, whose few strokes
    say little, is as the word before it; one that is neither clearly bold nor light is as its line.
    """
    weights = _weights(seen, widths)
    known = sorted((weight, len(found.word.text)) for found, weight in zip(seen, weights, strict=True) if weight)
    if not known:
        return list(seen)
    telling = _telling(seen, weights)
    least = _between(telling) or BOLDER * _usual(telling or known)
    lines = _of_lines(seen, weights)
    marked: list[ScannedWord] = []
    for found, weight in zip(seen, weights, strict=True):
        unsure = weight is not None and least / UNSURE < weight < least * UNSURE
        told = lines.get(found.word.line, weight) if unsure else weight
        bold = told is not None and told > least
        before = marked[-1].word if marked and marked[-1].word.line == found.word.line else None
        if before and not _is_long(found.word.text):
            bold = before.bold
        marked.append(found._replace(word=found.word._replace(bold=bold and found.word.upright)))
    return marked


def _weights(seen: Sequence[ScannedWord], widths: Sequence[float | None]) -> list[float | None]:
    """Return the widths of strokes by type sizes, those that differ little as one: they are measured less surely than strokes."""
    counts: Counter[float] = Counter()
    for found in seen:
        counts[found.word.size] += len(found.word.text)
    chosen = unlike(counts, LIKE_SIZES)
    sizes = {size: next(other for other in chosen if abs(size - other) <= LIKE_SIZES * other) for size in counts}
    return [width and width / sizes[found.word.size] for found, width in zip(seen, widths, strict=True)]


def _of_lines(seen: Sequence[ScannedWord], weights: Sequence[float | None]) -> dict[int, float]:
    """Return the mean weight of the letters of each line that has words from which it can be told."""
    lines: dict[int, list[tuple[float, int]]] = defaultdict(list)
    for found, weight in zip(seen, weights, strict=True):
        if weight and _is_long(found.word.text):
            lines[found.word.line].append((weight, len(found.word.text)))
    return {line: sum(weight * n for weight, n in told) / sum(n for _, n in told) for line, told in lines.items()}


def _usual(known: Sequence[tuple[float, int]]) -> float:
    """Return the weight of the middle letter of the page, given weights with their numbers of letters, in order."""
    half = sum(n for _, n in known) / 2
    return next(weight for (weight, _), n in zip(known, accumulate(n for _, n in known), strict=True) if n >= half)


def _telling(seen: Sequence[ScannedWord], weights: Sequence[float | None]) -> list[tuple[float, int]]:
    """Return the weights of words, with their letters, whose type can be compared: not fixed in width, not in joined letters."""
    return sorted(
        (weight, len(found.word.text))
        for found, weight in zip(seen, weights, strict=True)
        if weight and not found.word.mono and _is_long(found.word.text) and not is_joined(found.word.text)
    )


def _between(known: Sequence[tuple[float, int]]) -> float | None:
    """Return the weight between light and bold type, where about as much of a page is in the one as in the other; else None."""
    if len(known) < 2:
        return None
    values, letters = np.log([weight for weight, _ in known]), np.array([n for _, n in known], dtype=np.float64)
    n, sums, squares = (np.cumsum(letters * values**power) for power in range(3))
    light, bold = sums[:-1] / n[:-1], (sums[-1] - sums[:-1]) / (n[-1] - n[:-1])
    at = int((n[:-1] * (n[-1] - n[:-1]) * (bold - light) ** 2).argmax())
    within = squares[-1] - n[at] * light[at] ** 2 - (n[-1] - n[at]) * bold[at] ** 2
    apart = float(bold[at] - light[at])
    told = apart >= max(float(np.log(PARTED)), SPREAD * float(max(within, 0.0) / n[-1]) ** 0.5)
    return float(np.exp((light[at] + bold[at]) / 2)) if told and LEAST_LIGHT <= n[at] / n[-1] <= MOST_LIGHT else None


def _is_long(text: str) -> bool:
    return sum(map(str.isalnum, text)) >= MIN_LETTERS
