"""Charts of Office as text: their titles, and each series with its categories and values as readers see them.

A chart keeps numbers beside the format that shows them: a share is 0.25 and shown as 25 %, a day is 45322 and shown as a date.
"""

import re
from collections.abc import Iterator
from datetime import date, timedelta

from tasks.parse.layout.prose import clean
from tasks.parse.office.xml import XmlElement, drawing_words, find, find_all, number, value

MAX_POINTS = 500
"""Most values of one chart series that become text."""
_QUOTED = re.compile(r'"[^"]*"|\\.|_.|\[[^\]]*\]')
"""What a format shows as it is, leaves blank, or says of colours and languages."""
_OF_DATES = frozenset("ymdhsap")
"""Letters of formats of dates and times."""
_FIRST_DAY, _FIRST_DAY_1904 = date(1899, 12, 30), date(1904, 1, 1)
MAX_DAYS = 2_957_003
"""The last day of the year 9999, counted from 1904."""


def chart_text(chart: XmlElement | None) -> str:
    """Return a chart's titles, and each series with its categories and values, one per line."""
    titles = [drawing_words(title) for title in find_all(chart, ".//c:title")]
    lines = [title for title in titles if title]
    first_day = _FIRST_DAY_1904 if value(chart, "c:date1904", "val") in ("1", "true") else _FIRST_DAY
    for series in find_all(chart, ".//c:ser"):
        head = " ".join(cell.text or "" for cell in find_all(series, "c:tx//c:v")).strip()
        pairs = ", ".join(_pairs(series, first_day))
        lines.append(": ".join(part for part in (head, pairs) if part))
    lines += [text for text in _extended_series(chart) if text]
    return clean("\n".join(line for line in lines if line))


def as_shown(text: str, code: str, first_day: date = _FIRST_DAY) -> str:
    """Return a number as a format shows it: shares in percent, days as ISO dates, others in full, without rounding errors.

    >>> as_shown("0.25", "0%"), as_shown("45322", "d-mmm-yy"), as_shown("0.30000000000000004", "General"), as_shown("Q1", "")
    ('25%', '2024-01-31', '0.3', 'Q1')
    """
    try:
        amount = float(text)
    except ValueError:
        return text
    pattern = _QUOTED.sub("", code.split(";")[0]).lower()
    if "%" in pattern:
        return f"{amount * 100:.12g}%"
    letters = set(filter(str.isalpha, pattern))
    if letters <= _OF_DATES and letters & {"y", "d"} and 0 < amount <= MAX_DAYS:
        day = (first_day + timedelta(days=int(amount))).isoformat()
        return day if "d" in letters else day[:7] if "m" in letters else day[:4]
    return f"{amount:.12g}" if len(text) > 12 and abs(amount) < 1e12 else text


def _extended_series(chart: XmlElement | None) -> Iterator[str]:
    """Yield the title and the series of a chart of the newer kinds, such as waterfalls, funnels and treemaps."""
    for title in find_all(chart, ".//cx:title"):
        yield drawing_words(title) or _read_name(title)
    names = {value(series, "cx:dataId", "val"): _read_name(find(series, "cx:tx")) for series in find_all(chart, ".//cx:series")}
    for data in find_all(chart, "cx:chartData/cx:data"):
        levels = [
            {
                number(point.get("idx"), 0): as_shown((point.text or "").strip(), level.get("formatCode") or "")
                for point in find_all(level, "cx:pt")
            }
            for dimension in data
            for level in reversed(find_all(dimension, "cx:lvl"))
        ]
        places = sorted({place for level in levels for place in level})[:MAX_POINTS]
        pairs = ", ".join(" ".join(level[place] for level in levels if level.get(place)) for place in places)
        yield ": ".join(part for part in (names.get(data.get("id")), pairs) if part)


def _read_name(node: XmlElement | None) -> str:
    return " ".join(text.text or "" for text in find_all(node, ".//cx:v")).strip()


def _pairs(series: XmlElement, first_day: date) -> Iterator[str]:
    """Yield the category and the values of each point: its value, or its place along both axes and its size."""
    parts = [_points(series, paths, first_day) for paths in (("c:cat", "c:xVal"), ("c:val", "c:yVal"), ("c:bubbleSize",))]
    for place in sorted({place for part in parts for place in part})[:MAX_POINTS]:
        yield " ".join(part[place] for part in parts if part.get(place))


def _points(series: XmlElement, paths: tuple[str, ...], first_day: date) -> dict[int, str]:
    """Return the values at a path by their places; of categories in levels, the outer ones stand before the inner one."""
    for path in paths:
        source = find(series, path)
        if source is None:
            continue
        levels = [_values(level, "", first_day) for level in find_all(source, ".//c:lvl")]
        if levels:
            return {place: " ".join(filter(None, (_above(level, place) for level in reversed(levels)))) for place in levels[0]}
        code = find(source, ".//c:formatCode")
        return _values(source, "" if code is None else code.text or "", first_day)
    return {}


def _values(node: XmlElement, code: str, first_day: date) -> dict[int, str]:
    points = [(point, find(point, "c:v")) for point in find_all(node, ".//c:pt")]
    return {
        number(point.get("idx"), 0): as_shown((told.text or "").strip(), point.get("formatCode") or code, first_day)
        for point, told in points
        if told is not None
    }


def _above(level: dict[int, str], place: int) -> str:
    """Return the name that holds for a place: an outer level names only the first of the places that it spans."""
    return level[max(starts)] if (starts := [start for start in level if start <= place]) else ""


def diagram_texts(data: XmlElement | None) -> list[str]:
    """Return the texts of a SmartArt diagram, in the order in which they were entered."""
    texts = [clean(drawing_words(point)) for point in find_all(data, "dgm:ptLst/dgm:pt")]
    return [text for text in texts if text]
