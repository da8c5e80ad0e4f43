"""The words in a figure by where they stand: title, names of the axes, legend, range of the ticks.

Boxes are in pixels from the top left. What cannot be told apart stays plain text.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from tasks.transforms.geometry import Box

MINUS = "-\N{EN DASH}\N{MINUS SIGN}"
NUMBER = re.compile(rf"[{MINUS}+]?[$€£]?\d[\d,.]*\s?(?:%|[kKmM]|°C?)?")
ALIGNED = 0.03
"""Share of the figure's width or height by which the ends of things in one column or row may differ."""
TICKS = 3
"""Numbers in one row or column, at least, that are taken for an axis."""
TOP, BOTTOM = 0.25, 0.75
"""A title stands above the one, the name of the horizontal axis below the other, as shares of the height."""


class Line(NamedTuple):
    """Words that stand next to each other."""

    text: str
    box: Box


class Parts(NamedTuple):
    """What a figure's words are. Ranges are as they are written, lowest and highest; empty where nothing was found."""

    title: str = ""
    across: str = ""
    upward: str = ""
    legend: tuple[str, ...] = ()
    ranges: tuple[tuple[str, str], ...] = ()


def parts_of(lines: Sequence[Line], turned: Sequence[str], size: tuple[int, int]) -> Parts:
    """Return what the lines of a figure of `size` (width, height) are; `turned` are lines that run upwards, at its left."""
    width, height = size
    ticks = [line for line in lines if NUMBER.fullmatch(line.text.strip())]
    words = [line for line in lines if line not in ticks and sum(map(str.isalpha, line.text)) > 1]
    row = _largest([line for line in ticks if _middle(line.box)[1] > height / 2], 1, height * ALIGNED)
    column = _largest([line for line in ticks if line not in row], 0, width * ALIGNED, end=True)
    names = _largest([line for line in words if _middle(line.box)[1] > height / 2], 1, height * ALIGNED)
    names = names if len(names) >= TICKS else []
    words = [line for line in words if line not in names]
    title = _title(words, size)
    across = _across(words, [line.box for line in (*row, *names)], size)
    legend = _legend([line for line in words if line not in (title, across)], size)
    return Parts(
        title.text if title else "",
        across.text if across else "",
        " ".join(turned).strip(),
        tuple(line.text for line in legend),
        tuple(_range(found) for found in (row, column) if len(found) >= TICKS),
    )


def _middle(box: Box) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def _largest(lines: Sequence[Line], axis: int, slack: float, end: bool = False) -> list[Line]:
    """Return the most lines that stand in one row (axis 1) or column (axis 0), by their middles or right ends."""
    best: list[Line] = []
    for start in lines:
        place = start.box[2] if end else _middle(start.box)[axis]
        found = [line for line in lines if abs((line.box[2] if end else _middle(line.box)[axis]) - place) <= slack]
        best = max(best, found, key=len)
    return best


def _title(words: Sequence[Line], size: tuple[int, int]) -> Line | None:
    """Return the highest line near the top whose middle is near the figure's, or that begins at its left."""
    near = [line for line in words if line.box[3] < size[1] * TOP and abs(_middle(line.box)[0] - size[0] / 2) < size[0] * 0.25]
    return min(near, key=lambda line: line.box[1], default=None)


def _across(words: Sequence[Line], row: Sequence[Box], size: tuple[int, int]) -> Line | None:
    """Return the line in the middle below the row of ticks."""
    floor = max((box[3] for box in row), default=size[1] * BOTTOM)
    below = [
        line
        for line in words
        if line.box[1] >= floor - size[1] * 0.01 and abs(_middle(line.box)[0] - size[0] / 2) < size[0] * 0.3
    ]
    return min(below, key=lambda line: line.box[1], default=None) if row else None


def _legend(words: Sequence[Line], size: tuple[int, int]) -> list[Line]:
    """Return lines that begin at one place, one below the other."""
    best: list[Line] = []
    for start in words:
        slack = size[0] * ALIGNED / 2
        column = sorted((line for line in words if abs(line.box[0] - start.box[0]) <= slack), key=lambda line: line.box[1])
        apart = [later.box[1] - line.box[1] for line, later in pairwise(column)]
        if len(column) > 1 and max(apart) <= 2.5 * max(1.0, min(apart)):
            best = max(best, column, key=len)
    return best


def _range(ticks: Sequence[Line]) -> tuple[str, str]:
    ordered = sorted(ticks, key=lambda line: value_of(line.text))
    return ordered[0].text.strip(), ordered[-1].text.strip()


def value_of(text: str) -> float:
    """Return the number that a tick's text stands for.

    >>> value_of("1,500"), value_of("-20 %"), value_of("2k")
    (1500.0, -20.0, 2000.0)
    """
    digits = re.sub(r"[^\d.]", "", text.replace(",", "")).strip(".")
    whole, *decimals = digits.split(".")
    value = float(whole or 0) + (float(f"0.{''.join(decimals)}") if "".join(decimals) else 0.0)
    value *= {"k": 1e3, "m": 1e6}.get(text.strip()[-1:].lower(), 1)
    return -value if text.strip()[:1] in tuple(MINUS) else value


def describe(kind: str, confidence: float | None, parts: Parts, caption: str | None, text: str) -> str:
    """Return what stands for a figure in the document's text; nothing if nothing is known of it.

    >>> describe("bar chart", 0.93, Parts(title="Sales", ranges=(("2019", "2023"),)), "Sales by year.", "Sales 2019 2023")
    'Bar chart (confidence 0.93). Title: Sales. Values: 2019 to 2023. Caption: Sales by year. Text: Sales 2019 2023'
    """
    head = kind[:1].upper() + kind[1:] + (f" (confidence {confidence:.2f})" if confidence is not None else "") + "."
    axes = "; ".join(filter(None, (parts.across, parts.upward)))
    named = (
        ("Title", parts.title),
        ("Axis", axes),
        ("Legend", ", ".join(parts.legend)),
        ("Values", "; ".join(f"{low} to {high}" for low, high in parts.ranges)),
        ("Caption", (caption or "").strip()),
    )
    said = [f"{name}: {value.rstrip('.')}." for name, value in named if value]
    if confidence is None and not said and not text.strip():
        return ""
    return " ".join([head, *said, *([f"Text: {' '.join(text.split())}"] if text.strip() else [])])
