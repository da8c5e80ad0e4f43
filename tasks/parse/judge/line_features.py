"""Features of the lines of a page, by which it is judged which of them are headings: training and parsing both use these.

A line is described by its type beside that of the page's text, by its characters, by the space around it and its neighbours
above and below, by its place, by what the layout model thinks of it, and by what the rules make of it. What tells most is what
all lines of one look have in common: how many there are, how long they are, how many the rules take for headings, and how likely
the layout model does on average.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import inf, nan
from typing import NamedTuple

import numpy as np

from schemas.tables.elements import HEADINGS
from tasks.parse.judge.trees import Array
from tasks.parse.kinds.headings import in_capitals
from tasks.parse.kinds.labels import NOTES
from tasks.parse.kinds.set_as_text import family_of
from tasks.parse.layout.captions import LABEL
from tasks.parse.layout.geometry import Box, area, share, union
from tasks.parse.layout.levels import scheme_of
from tasks.parse.layout.lines import TextLine, has_leaders, is_labelled, lines_of, most
from tasks.parse.layout.page_model import CLASSES, LineClasses
from tasks.parse.layout.regions import PROSE, Region
from tasks.parse.layout.words import Word

KINDS = ("paragraph", "heading", "title", "list_item", "caption", "footnote", "furniture", "equation", "table", "figure", "code")
TEXTUAL = KINDS[:8]
"""The kinds of regions whose lines are judged."""
SCHEMES = ("", "decimal", "letter", "roman", "part", "chapter", "section")
BULLETS = "\u2022\u2023\u25aa\u25cf\u25cb\u25e6\u25a0*-\u2013\u2014"
MIN_TEXT = 200
"""Fewest characters of paragraphs and lists from which the type of a page's text is taken; otherwise from all text."""
SAME_HEIGHT = 0.4
"""Lines whose baselines differ by less stand beside each other, in type sizes."""
SEEN = 0.3
"""Least share of a line that one of the layout model's lines must cover for its opinion to count."""
FAR = 11.0
"""The distance to a neighbour that is not there, in line pitches."""
DEFAULT_PITCH = 1.25
"""Distance of baselines where no two lines of text tell it, in type sizes."""

INDENTED = (0.8, 8.0)
"""Indent of a definition below its term, in type sizes of the text."""
CLOSE = 1.6
"""Largest distance of the baselines of a term and of its definition, in line pitches."""
EDGE = 0.5
"""Largest distance between left edges that are the same, in type sizes of the text."""
_CODE = re.compile(r"^(?:[-\u2013]{1,2}\w|[\w.:+-]+\(.*\))")
"""An option, or a call of a function."""

Look = tuple[float, bool, int, str]
"""Size in steps of half a point, weight, ink and font of most characters of a line."""


class Body(NamedTuple):
    """The type of most of a page's text: size in points, font, its family, ink and weight."""

    size: float
    font: str
    ink: int
    bold: bool

    @property
    def family(self) -> str:
        """Return the name of the font without weight and slope."""
        return family_of(self.font)


@dataclass(frozen=True)
class PageLine:
    """A line of a region: the number of its region, its own number there, how many lines there are, and its look."""

    region: int
    number: int
    of: int
    line: TextLine
    look: Look


def lines_to_judge(regions: Sequence[Region]) -> list[PageLine]:
    """Return the lines of the regions of text that is not turned, in the order of the regions."""
    found = []
    for n, region in enumerate(regions):
        if region.kind in TEXTUAL and region.words and all(word.upright for word in region.words):
            lines = lines_of(region.words)
            found += [PageLine(n, at, len(lines), line, _look(line)) for at, line in enumerate(lines)]
    return found


def features_of_lines(
    lines: Sequence[PageLine], regions: Sequence[Region], frames: Sequence[Box] = (), seen: LineClasses | None = None
) -> Array:
    """Return a row of FEATURES (n, features) for each of `lines`, which `lines_to_judge` made of `regions`.

    `frames` are boxes drawn on the page; without `seen` what the layout model thinks is missing (NaN).
    """
    if not lines:
        return np.empty((0, len(FEATURES)))
    page = _Page(lines, regions, frames, seen)
    columns: dict[str, Iterable[float]] = {}
    for family in (_type, _characters, _place, _neighbours, _region, _of_look, _seen):
        columns.update(family(page))
    return np.array([list(columns[name]) for name in FEATURES], np.float64).T


class _Page:
    """What several families of features need, computed once."""

    def __init__(
        self, lines: Sequence[PageLine], regions: Sequence[Region], frames: Sequence[Box], seen: LineClasses | None
    ) -> None:
        self.lines, self.regions = lines, regions
        self.texts = [item.line.text for item in lines]
        self.looks = [item.look for item in lines]
        self.body = body_of(regions)
        self.boxes = np.array([item.line.box for item in lines])
        self.sizes = np.array([item.line.size for item in lines])
        self.bases = np.array([_baseline(item.line) for item in lines])
        self.pitch = self._pitch()
        self.extent = np.array(union(word.box for region in regions if region.kind in TEXTUAL for word in region.words))
        self.above, self.gap_above = self._nearest(1)
        self.below, self.gap_below = self._nearest(-1)
        self.defines = self._defines()
        self.at_edge = self._at_edge()
        self.framed = [_framed(item.line.box, frames) for item in lines]
        self.likely = _likely(self.boxes, seen)
        self.head = self.likely[:, CLASSES.index("title")] + self.likely[:, CLASSES.index("section-header")]

    def _pitch(self) -> float:
        """Return the usual distance of baselines of the text, in its type sizes."""
        size = self.body.size
        rooms = np.array([item.region for item in self.lines])
        usual = np.abs(self.sizes - size) < 0.6
        steps = np.diff(self.bases)
        steps = steps[(np.diff(rooms) == 0) & usual[1:] & usual[:-1] & (steps > 0)] / size
        return float(np.median(steps)) if steps.size else DEFAULT_PITCH

    def _defines(self) -> Array:
        """Return 1 for lines with an indented line close below them, as terms have, else 0."""
        size, left = self.body.size, self.boxes[:, 0]
        indent = (_beside(left, self.below) - left) / size
        with np.errstate(invalid="ignore"):
            found = (indent >= INDENTED[0]) & (indent <= INDENTED[1]) & (self.gap_below <= CLOSE * self.pitch * size)
        terms: Array = found.astype(np.float64)
        return terms

    def _at_edge(self) -> Array:
        """Return the share of the page's lines of text that begin where each line does."""
        left, usual = self.boxes[:, 0], np.abs(self.sizes - self.body.size) < 0.6
        if not usual.any():
            return np.full(len(left), nan)
        share: Array = (np.abs(left[:, None] - left[None, usual]) <= EDGE * self.body.size).mean(axis=1)
        return share

    def _nearest(self, up: int) -> tuple[Array, Array]:
        """Return the nearest line above (1) or below (-1) each line, -1 for none, and the distance of their baselines."""
        boxes, n = self.boxes, len(self.lines)
        across = np.minimum(boxes[:, None, 2], boxes[None, :, 2]) - np.maximum(boxes[:, None, 0], boxes[None, :, 0]) > 0
        apart = up * (self.bases[:, None] - self.bases[None, :])
        least = SAME_HEIGHT * np.minimum(self.sizes[:, None], self.sizes[None, :])
        distance = np.where(across & (apart > least), apart, inf)
        nearest = distance.argmin(axis=1)
        gaps = distance[np.arange(n), nearest]
        return np.where(np.isfinite(gaps), nearest, -1), gaps


def body_of(regions: Sequence[Region]) -> Body:
    """Return the type of the page's text: of paragraphs and lists if there are enough, else of all text."""
    prose = [word for region in regions if region.kind in PROSE for word in region.words]
    if sum(len(word.text) for word in prose) < MIN_TEXT:
        prose = [word for region in regions if region.kind in TEXTUAL for word in region.words]
    size = usual_size(prose)
    usual = [word for word in prose if abs(word.size - size) <= 0.5] or prose
    fonts, inks, bold = Counter[str](), Counter[int](), Counter[bool]()
    for word in usual:
        fonts[word.font] += len(word.text)
        inks[word.ink] += len(word.text)
        bold[word.bold] += len(word.text)
    return Body(size, fonts.most_common(1)[0][0], inks.most_common(1)[0][0], bold.most_common(1)[0][0])


def usual_size(words: Iterable[Word]) -> float:
    """Return the type size of most characters, in steps of half a point."""
    return most((word.size, len(word.text)) for word in words)


def _look(line: TextLine) -> Look:
    inks, fonts = Counter[int](), Counter[str]()
    for word in line.words:
        inks[word.ink] += len(word.text)
        fonts[word.font] += len(word.text)
    return line.size, line.bold, inks.most_common(1)[0][0], fonts.most_common(1)[0][0]


def _baseline(line: TextLine) -> float:
    """Return the height of the line that the letters stand on; where it is not known, a fifth of the size above their foot."""
    known = [word.base for word in line.words if word.base is not None]
    return float(np.median(known)) if known else line.box[3] - 0.2 * line.size


def _framed(box: Box, frames: Sequence[Box]) -> float:
    """Return the area of the smallest frame around a box, in points squared; 0 if there is none."""
    return min((area(frame) for frame in frames if share(box, frame) > 0.9), default=0.0)


def _likely(boxes: Array, seen: LineClasses | None) -> Array:
    """Return how likely each line is of each of CLASSES: the mean over the lines that the layout model saw there, by area."""
    likely = np.full((len(boxes), len(CLASSES)), nan)
    if seen is None or not len(seen.boxes):
        return likely
    of = np.asarray(seen.boxes, np.float64)
    across = np.minimum(boxes[:, None, 2], of[None, :, 2]) - np.maximum(boxes[:, None, 0], of[None, :, 0])
    down = np.minimum(boxes[:, None, 3], of[None, :, 3]) - np.maximum(boxes[:, None, 1], of[None, :, 1])
    common = across.clip(0) * down.clip(0)
    own = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    found = common.max(axis=1) > SEEN * own
    likely[found] = common[found] @ seen.likely / common[found].sum(axis=1, keepdims=True)
    return likely


@lru_cache(maxsize=4096)
def _light(ink: int) -> tuple[float, float]:
    """Return how light and how colourful an ink is, in [0, 1]."""
    red, green, blue = (max(ink, 0) >> shift & 255 for shift in (16, 8, 0))
    return (0.3 * red + 0.59 * green + 0.11 * blue) / 255, (max(red, green, blue) - min(red, green, blue)) / 255


def _type(page: _Page) -> dict[str, Iterable[float]]:
    """Return features of the type of each line, sizes as multiples of the text's."""
    body, rows = page.body, []
    light, colourful = _light(body.ink)
    for item in page.lines:
        words, (_, bold, ink, font) = item.line.words, item.look
        n = sum(len(word.text) for word in words) or 1
        lighter, more_colourful = (a - b for a, b in zip(_light(ink), (light, colourful), strict=True))
        rows.append(
            (
                item.line.size / body.size,
                max(word.size for word in words) / body.size,
                sum(len(word.text) for word in words if word.bold) / n,
                bold - body.bold,
                sum(len(word.text) for word in words if word.font != body.font) / n,
                family_of(font) != body.family,
                "Ital" in font or "Obli" in font,
                item.line.mono,
                ink != body.ink,
                lighter,
                more_colourful,
                body.size,
                body.bold,
                bool(font),
            )
        )
    names = (
        "size", "largest", "bold", "bolder", "other font", "other family", "italic", "mono", "other ink", "lighter",
        "more colourful", "text size", "text bold", "has font",
    )  # fmt: skip
    return dict(zip(names, zip(*rows, strict=True), strict=True))


def _characters(page: _Page) -> dict[str, Iterable[float]]:
    """Return features of the text of each line."""
    rows = [(*_of_text(text), has_leaders(item.line), bool(item.line.wide), is_labelled(item.line)) for text, item in
            zip(page.texts, page.lines, strict=True)]  # fmt: skip
    names = (
        "capitals", "upper", "titled", "characters", "words", "point", "colon", "comma", "question", "ends in digit", "lower",
        "digit", "bullet", "scheme", "depth", "caption", "digits", "letters", "code", "note", "leaders", "wide", "labelled",
    )  # fmt: skip
    return dict(zip(names, zip(*rows, strict=True), strict=True))


def _of_text(text: str) -> tuple[float, ...]:
    letters = [c for c in text if c.isalpha()]
    words = text.split()
    scheme, depth = scheme_of(text)
    return (
        in_capitals(text),
        sum(c.isupper() for c in letters) / max(1, len(letters)),
        sum(word[:1].isupper() for word in words) / max(1, len(words)),
        len(text),
        len(words),
        text[-1:] in ".\u3002",
        text[-1:] in ":\uff1a",
        text[-1:] in ",;-",
        text[-1:] in "!?",
        text[-1:].isdigit(),
        text[:1].islower(),
        text[:1].isdigit(),
        text[:1] in BULLETS,
        SCHEMES.index(scheme),
        depth,
        bool(LABEL.match(text)),
        sum(c.isdigit() for c in text) / max(1, len(text)),
        len(letters) / max(1, len(text)),
        bool(_CODE.match(text)),
        text.rstrip(":!").casefold() in NOTES,
    )


def _place(page: _Page) -> dict[str, Iterable[float]]:
    """Return where each line stands on the page, as shares of what its text covers."""
    x0, y0, x1, y1 = page.extent
    width, height = x1 - x0 + 0.1, y1 - y0 + 0.1
    left, top, right, _ = page.boxes.T
    return {
        "off centre": np.abs((left + right - x0 - x1) / 2) / width,
        "left": (left - x0) / width,
        "width": (right - left) / width,
        "top": (top - y0) / height,
        "frame": [a / (width * height) for a in page.framed],
        "edge": page.at_edge,
        "defines": page.defines,
    }


def _neighbours(page: _Page) -> dict[str, Iterable[float]]:
    """Return the space around each line, in pitches of the text and in its own size, and what stands above and below it."""
    pitch, own = page.pitch * page.body.size, np.maximum(page.sizes, 1.0)
    above, below = page.above, page.below
    with np.errstate(invalid="ignore"):
        more = (page.gap_above - page.gap_below) / pitch
    boxes, sizes = page.boxes, page.sizes
    widths, middles = boxes[:, 2] - boxes[:, 0] + 0.1, (boxes[:, 0] + boxes[:, 2]) / 2
    ends = np.array([text[-1:] in ".!?:" for text in page.texts], np.float64)
    lower = np.array([text[:1].islower() for text in page.texts], np.float64)
    lengths = np.array([len(text) for text in page.texts], np.float64)
    tables = [region.box for region in page.regions if region.kind == "table"]
    figures = [region.box for region in page.regions if region.kind == "figure"]
    body = page.body.size
    return {
        "pitches above": np.minimum(page.gap_above / pitch, FAR),
        "pitches below": np.minimum(page.gap_below / pitch, FAR),
        "more above": np.where(np.isfinite(more), more, nan),
        "own above": np.minimum(page.gap_above / own / 1.2, FAR),
        "own below": np.minimum(page.gap_below / own / 1.2, FAR),
        "size to above": _beside(sizes, above) ** -1 * sizes,
        "size to below": _beside(sizes, below) ** -1 * sizes,
        "look of above": _alike(page.looks, above),
        "look of below": _alike(page.looks, below),
        "above ends": _beside(ends, above),
        "above reaches": _beside(boxes[:, 2], above) / page.extent[2],
        "below length": _beside(lengths, below),
        "below lower": _beside(lower, below),
        "below indent": (_beside(boxes[:, 0], below) - boxes[:, 0]) / body,
        "above indent": (_beside(boxes[:, 0], above) - boxes[:, 0]) / body,
        "below off centre": np.abs(_beside(middles, below) - middles) / body,
        "width to below": widths / _beside(widths, below),
        "width to above": widths / _beside(widths, above),
        "table below": np.minimum(_space(boxes, tables, 1) / body, 20),
        "table above": np.minimum(_space(boxes, tables, -1) / body, 20),
        "figure below": np.minimum(_space(boxes, figures, 1) / body, 20),
        "figure above": np.minimum(_space(boxes, figures, -1) / body, 20),
    }


def _beside(values: Array, neighbour: Array) -> Array:
    """Return the values of neighbours, NaN where there is none (-1)."""
    return np.where(neighbour >= 0, values[neighbour], nan)


def _alike(looks: Sequence[Look], neighbour: Array) -> list[float]:
    return [float(looks[other] == look) if other >= 0 else nan for look, other in zip(looks, neighbour, strict=True)]


def _space(boxes: Array, others: Sequence[Box], down: int) -> Array:
    """Return the space to the nearest of other boxes below (1) or above (-1) each box, infinite if there is none."""
    if not others:
        return np.full(len(boxes), inf)
    given = np.array(others)
    across = np.minimum(boxes[:, None, 2], given[None, :, 2]) - np.maximum(boxes[:, None, 0], given[None, :, 0]) > 0
    space = given[None, :, 1] - boxes[:, None, 3] if down == 1 else boxes[:, None, 1] - given[None, :, 3]
    nearest: Array = np.where(across & (space > -3), space.clip(0), inf).min(axis=1)
    return nearest


def _region(page: _Page) -> dict[str, Iterable[float]]:
    """Return features of the region of each line, and of those read before and after it."""
    lines, regions, looks = page.lines, page.regions, page.looks
    rows = []
    for n, item in enumerate(lines):
        region, last = regions[item.region], item.number == item.of - 1
        before = regions[item.region - 1].kind if item.region else ""
        after = regions[item.region + 1].kind if item.region + 1 < len(regions) else ""
        rows.append(
            (
                item.number,
                item.of,
                item.of - item.number - 1,
                item.number > 0 and looks[n - 1] == item.look,
                not last and looks[n + 1] == item.look,
                n > 0 and looks[n - 1] == item.look,
                n + 1 < len(looks) and looks[n + 1] == item.look,
                (union(word.box for word in region.words)[2] - item.line.box[2]) / page.body.size,
                KINDS.index(region.kind),
                _number(before),
                _number(after),
                region.role == "page-header",
                region.role == "page-footer",
            )
        )
    names = (
        "line", "lines", "lines left", "look before in region", "look after in region", "look before", "look after", "room",
        "kind", "kind before", "kind after", "header", "footer",
    )  # fmt: skip
    return dict(zip(names, zip(*rows, strict=True), strict=True))


def _number(kind: str) -> int:
    return KINDS.index(kind) if kind in KINDS else len(KINDS)


def _of_look(page: _Page) -> dict[str, Iterable[float]]:
    """Return features of all lines of a look, the same for each of them, and of the page."""
    number = {look: n for n, look in enumerate(dict.fromkeys(page.looks))}
    of = np.array([number[look] for look in page.looks])
    n_lines = np.bincount(of)
    lengths = np.array([len(text) for text in page.texts], np.float64)

    def mean(values: Array) -> Array:
        known = ~np.isnan(values)
        counts = np.bincount(of[known], minlength=len(n_lines))
        with np.errstate(invalid="ignore"):
            means: Array = (np.bincount(of[known], values[known], minlength=len(n_lines)) / counts)[of]
        return means

    heads = np.array([page.regions[item.region].kind in HEADINGS for item in page.lines], np.float64)
    sizes = sorted({look[0] for look in page.looks}, reverse=True)
    repeated = Counter(page.texts)
    n = len(page.lines)
    return {
        "look lines": n_lines[of],
        "look length": mean(lengths),
        "look share": np.bincount(of, lengths)[of] / max(lengths.sum(), 1),
        "look alone": mean(np.array([item.of == 1 for item in page.lines], np.float64)),
        "look likely": mean(page.head),
        "look pitches": mean(np.minimum(page.gap_above / page.body.size / page.pitch, 6)),
        "look ends": mean(np.array([text[-1:] in ".,;:" for text in page.texts], np.float64)),
        "look headings": mean(heads),
        "look defines": mean(page.defines),
        "look pitches below": mean(np.minimum(page.gap_below / page.body.size / page.pitch, 6)),
        "look nearer below": mean((page.gap_below < page.gap_above - 0.1 * page.body.size).astype(np.float64)),
        "look text below": mean(_beside(page.likely[:, CLASSES.index("text")], page.below)),
        "size rank": [sizes.index(look[0]) for look in page.looks],
        "sizes": [len(sizes)] * n,
        "repeated": [repeated[text] for text in page.texts],
        "page lines": [n] * n,
        "page characters": [lengths.sum()] * n,
        "page headings": [sum(region.kind in HEADINGS for region in page.regions)] * n,
    }


def _seen(page: _Page) -> dict[str, Iterable[float]]:
    """Return what the layout model thinks of each line, and of those above and below it."""
    text = page.likely[:, CLASSES.index("text")]
    return {
        **{f"likely {name}": page.likely[:, n] for n, name in enumerate(CLASSES)},
        "likely heading above": _beside(page.head, page.above),
        "likely heading below": _beside(page.head, page.below),
        "likely text below": _beside(text, page.below),
    }


FEATURES = (
    "size", "largest", "bold", "bolder", "other font", "other family", "italic", "mono", "other ink", "lighter",
    "more colourful", "text size", "text bold", "has font", "capitals", "upper", "titled", "characters", "words", "point",
    "colon", "comma", "question", "ends in digit", "lower", "digit", "bullet", "scheme", "depth", "caption", "digits",
    "letters", "code", "note", "leaders", "wide", "labelled", "off centre", "left", "width", "top", "frame", "edge", "defines",
    "pitches above", "pitches below", "more above", "own above", "own below", "size to above", "size to below", "look of above",
    "look of below", "above ends", "above reaches", "below length", "below lower", "below indent", "above indent",
    "below off centre", "width to below", "width to above", "table below", "table above", "figure below", "figure above",
    "line", "lines", "lines left", "look before in region", "look after in region", "look before", "look after", "room", "kind",
    "kind before", "kind after", "header", "footer", "look lines", "look length", "look share", "look alone", "look likely",
    "look pitches", "look ends", "look headings", "look defines", "look pitches below", "look nearer below", "look text below",
    "size rank", "sizes", "repeated", "page lines", "page characters", "page headings", *(f"likely {name}" for name in CLASSES),
    "likely heading above", "likely heading below", "likely text below",
)  # fmt: skip
"""Their names, in their order. Which of them a judge uses its file says."""
