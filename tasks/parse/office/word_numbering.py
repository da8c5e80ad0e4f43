"""Numbers of list items and headings in a Word document: counted here, because the file contains only the rules."""

import re
from collections.abc import Iterable
from typing import Any

from tasks.parse.office.xml import XmlElement, find, find_all, is_on, name, number, value
from tasks.parse.web.numerals import numeral

_PLACE = re.compile(r"%(\d)")
LEVELS = 9


class Numbering:
    """Counts the items of all lists of one document. Ask for each item once, in order."""

    def __init__(self, tree: XmlElement | None) -> None:
        """`tree` is the numbering part, None if the document has none."""
        kinds = {kind.get(name("w:abstractNumId")): kind for kind in find_all(tree, "w:abstractNum")}
        self._lists = {item.get(name("w:numId")): item for item in find_all(tree, "w:num")}
        linked = {value(kind, "w:styleLink"): kind for kind in kinds.values()}
        self._kinds = {}
        for key, item in self._lists.items():
            kind = kinds.get(value(item, "w:abstractNumId"))
            self._kinds[key] = linked.get(value(kind, "w:numStyleLink"), kind) if value(kind, "w:numStyleLink") else kind
        self._linked: dict[str, dict[str | None, int]] = {}
        self._levels: dict[tuple[str, int], XmlElement | None] = {}
        self._counts: dict[Any, list[int | None]] = {}
        self._begun: set[str] = set()

    def level_of_style(self, list_id: str, style_ids: Iterable[str]) -> int | None:
        """Return the level that a list links to the first of the styles that it links at all, else None."""
        if list_id not in self._linked:
            levels = find_all(self._kinds.get(list_id), "w:lvl")
            self._linked[list_id] = {value(level, "w:pStyle"): number(level.get(name("w:ilvl")), 0) for level in levels}
        linked = self._linked[list_id]
        return next((linked[style_id] for style_id in style_ids if style_id in linked), None)

    def label(self, list_id: str, level: int) -> str:
        """Return the label of the next item, such as `2.1 ` or `b) `; "" for a bullet."""
        kind = self._kinds.get(list_id)
        if kind is None or not 0 <= level < LEVELS:
            return ""
        counts = self._counts.setdefault(kind.get(name("w:abstractNumId")), [None] * LEVELS)
        self._restart(list_id, counts)
        before = counts[level]
        counts[level] = self._start(list_id, level) if before is None else before + 1
        for below in range(level + 1, LEVELS):
            if level < self._restarts_after(list_id, below):
                counts[below] = None
        return self._text(list_id, level, counts)

    def _restarts_after(self, list_id: str, level: int) -> int:
        """Return how many of the highest levels restart `level`: all above it, if the list does not say. 0: it goes on."""
        return number(value(self._level(list_id, level), "w:lvlRestart"), level)

    def _restart(self, list_id: str, counts: list[int | None]) -> None:
        """Restart the counters at the first item of a list that overrides its start."""
        if list_id not in self._begun:
            self._begun.add(list_id)
            for override in find_all(self._lists[list_id], "w:lvlOverride"):
                if find(override, "w:startOverride") is not None and (at := number(override.get(name("w:ilvl")), 0)) < LEVELS:
                    counts[at] = None

    def _start(self, list_id: str, level: int) -> int:
        for override in find_all(self._lists[list_id], "w:lvlOverride"):
            if override.get(name("w:ilvl")) == str(level) and (told := value(override, "w:startOverride")) is not None:
                return number(told, 1)
        return number(value(self._level(list_id, level), "w:start"), 1)

    def _level(self, list_id: str, level: int) -> XmlElement | None:
        key = list_id, level
        if key not in self._levels:
            places = [*find_all(self._lists[list_id], "w:lvlOverride/w:lvl"), *find_all(self._kinds[list_id], "w:lvl")]
            self._levels[key] = next((place for place in places if place.get(name("w:ilvl")) == str(level)), None)
        return self._levels[key]

    def _text(self, list_id: str, level: int, counts: list[int | None]) -> str:
        rule = self._level(list_id, level)
        if rule is None or _style(rule) == "bullet" or is_on(rule, "w:rPr/w:vanish"):
            return ""
        legal = is_on(rule, "w:isLgl")

        def counted(found: re.Match[str]) -> str:
            at = int(found[1]) - 1
            if not 0 <= at < LEVELS or (style := _style(self._level(list_id, at))) == "none":
                return ""
            count = counts[at] if counts[at] is not None else self._start(list_id, at)
            return numeral(count or 0, "decimal" if legal and style != "decimalZero" else style)

        label = _PLACE.sub(counted, value(rule, "w:lvlText") or "").strip()
        return f"{label} " if label else ""


def _style(rule: XmlElement | None) -> str:
    """Return how a level is numbered. Word keeps a style that old programs lack beside one that they have."""
    return value(rule, "w:numFmt") or value(rule, "mc:AlternateContent/mc:Fallback/w:numFmt") or "decimal"
