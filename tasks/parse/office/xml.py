"""Names of Open XML's elements, and what DOCX and PPTX have in common: charts, diagrams, equations, alternatives."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from tasks.parse.layout.prose import clean

NAMESPACES = {
    "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
    "c": "http://schemas.openxmlformats.org/drawingml/2006/chart",
    "cx": "http://schemas.microsoft.com/office/drawing/2014/chartex",
    "dgm": "http://schemas.openxmlformats.org/drawingml/2006/diagram",
    "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
    "p": "http://schemas.openxmlformats.org/presentationml/2006/main",
    "v": "urn:schemas-microsoft-com:vml",
    "w14": "http://schemas.microsoft.com/office/word/2010/wordml",
    "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
    "a14": "http://schemas.microsoft.com/office/drawing/2010/main",
}
MAX_POINTS = 500
"""Most values of one chart series that become text."""


@cache
def name(prefixed: str) -> str:
    """Return a prefixed name in lxml's notation.

    >>> name("w:p")
    '{http://schemas.openxmlformats.org/wordprocessingml/2006/main}p'
    """
    prefix, _, local = prefixed.partition(":")
    return f"{{{NAMESPACES[prefix]}}}{local}"


def find(node: Any, path: str) -> Any:
    """Return the first element at `path`, or None."""
    return node.find(path, NAMESPACES) if node is not None else None


def find_all(node: Any, path: str) -> list[Any]:
    """Return the elements at `path`, in order."""
    return list(node.iterfind(path, NAMESPACES)) if node is not None else []


def value(node: Any, path: str, attribute: str = "w:val") -> str | None:
    """Return an attribute of the element at `path`; None if the element or the attribute is missing."""
    found = find(node, path)
    return None if found is None else found.get(name(attribute) if ":" in attribute else attribute)


def is_on(node: Any, path: str) -> bool:
    """Return whether a switch, an element such as `w:vanish`, exists and is not off."""
    found = find(node, path)
    return found is not None and found.get(name("w:val"), "true") not in ("0", "false", "off")


def number(text: str | None, otherwise: int) -> int:
    """Return a whole number, or `otherwise`."""
    try:
        return int(text) if text is not None else otherwise
    except ValueError:
        return otherwise


def chosen(alternatives: Any) -> list[Any]:
    """Return the content of an `mc:AlternateContent` for programs that support all features."""
    best = find(alternatives, "mc:Choice")
    best = find(alternatives, "mc:Fallback") if best is None else best
    return [] if best is None else list(best)


def chart_text(chart: Any) -> str:
    """Return a chart's titles, and each series with its categories and values, one per line."""
    titles = [drawing_words(title) for title in find_all(chart, ".//c:title")]
    lines = [title for title in titles if title]
    for series in find_all(chart, ".//c:ser"):
        head = " ".join(cell.text or "" for cell in find_all(series, "c:tx//c:v")).strip()
        pairs = ", ".join(_pairs(series))
        lines.append(": ".join(part for part in (head, pairs) if part))
    lines += [text for text in _extended_series(chart) if text]
    return clean("\n".join(line for line in lines if line))


def _extended_series(chart: Any) -> Iterator[str]:
    """Yield the title and the series of a chart of the newer kinds, such as waterfalls, funnels and treemaps."""
    for title in find_all(chart, ".//cx:title"):
        yield drawing_words(title) or _told_name(title)
    names = {value(series, "cx:dataId", "val"): _told_name(find(series, "cx:tx")) for series in find_all(chart, ".//cx:series")}
    for data in find_all(chart, "cx:chartData/cx:data"):
        levels = [
            {number(point.get("idx"), 0): (point.text or "").strip() for point in find_all(level, "cx:pt")}
            for dimension in data
            for level in reversed(find_all(dimension, "cx:lvl"))
        ]
        places = sorted({place for level in levels for place in level})[:MAX_POINTS]
        pairs = ", ".join(" ".join(level[place] for level in levels if level.get(place)) for place in places)
        yield ": ".join(part for part in (names.get(data.get("id")), pairs) if part)


def _told_name(node: Any) -> str:
    return " ".join(text.text or "" for text in find_all(node, ".//cx:v")).strip()


def _pairs(series: Any) -> Iterator[str]:
    names = _points(series, ("c:cat", "c:xVal"))
    values = _points(series, ("c:val", "c:yVal"))
    for place in sorted({*names, *values})[:MAX_POINTS]:
        yield " ".join(part for part in (names.get(place, ""), values.get(place, "")) if part)


def _points(series: Any, paths: tuple[str, ...]) -> dict[int, str]:
    for path in paths:
        source = find(series, path)
        if source is not None:
            points = find_all(source, ".//c:lvl[1]/c:pt") or find_all(source, ".//c:pt")
            return {number(point.get("idx"), 0): (find(point, "c:v").text or "").strip() for point in points if _has_value(point)}
    return {}


def _has_value(point: Any) -> bool:
    return find(point, "c:v") is not None


def drawing_words(node: Any) -> str:
    """Return the text of an element of a drawing, with a space between paragraphs."""
    paragraphs = find_all(node, ".//a:p")
    return " ".join("".join(text.text or "" for text in find_all(p, ".//a:t")) for p in paragraphs).strip()


def diagram_texts(data: Any) -> list[str]:
    """Return the texts of a SmartArt diagram, in the order in which they were entered."""
    texts = [clean(drawing_words(point)) for point in find_all(data, "dgm:ptLst/dgm:pt")]
    return [text for text in texts if text]
