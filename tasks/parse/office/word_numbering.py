"""Numbers of list items and headings in a Word document: counted here, because the file contains only the rules."""

import re
from typing import Any

from tasks.parse.office.xml import find, find_all, name, number, value
from tasks.parse.web.numerals import numeral

_PLACE = re.compile(r"%(\d)")
LEVELS = 9


class Numbering:
    """Counts the items of all lists of one document. Ask for each item once, in order."""

    def __init__(self, tree: Any) -> None:
        """`tree` is the numbering part, None if the document has none."""
        kinds = {kind.get(name("w:abstractNumId")): kind for kind in find_all(tree, "w:abstractNum")}
        self._lists = {item.get(name("w:numId")): item for item in find_all(tree, "w:num")}
        self._kinds = {key: kinds.get(value(item, "w:abstractNumId")) for key, item in self._lists.items()}
        self._counts: dict[Any, list[int | None]] = {}
        self._begun: set[str] = set()

    def label(self, list_id: str, level: int) -> str:
        """Return the label of the next item, such as `2.1 ` or `b) `; "" for a bullet."""
        kind = self._kinds.get(list_id)
        if kind is None or not 0 <= level < LEVELS:
            return ""
        counts = self._counts.setdefault(value(self._lists[list_id], "w:abstractNumId"), [None] * LEVELS)
        self._restart(list_id, counts)
        before = counts[level]
        counts[level] = self._start(list_id, level) if before is None else before + 1
        counts[level + 1 :] = [None] * (LEVELS - level - 1)
        return self._text(list_id, level, counts)

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

    def _level(self, list_id: str, level: int) -> Any:
        places = [*find_all(self._lists[list_id], "w:lvlOverride/w:lvl"), *find_all(self._kinds[list_id], "w:lvl")]
        return next((place for place in places if place.get(name("w:ilvl")) == str(level)), None)

    def _text(self, list_id: str, level: int, counts: list[int | None]) -> str:
        rule = self._level(list_id, level)
        if rule is None or value(rule, "w:numFmt") in ("bullet", "none"):
            return ""

        def counted(found: re.Match[str]) -> str:
            at = int(found[1]) - 1
            if not 0 <= at < LEVELS:
                return ""
            count = counts[at] if counts[at] is not None else self._start(list_id, at)
            return numeral(count or 0, value(self._level(list_id, at), "w:numFmt") or "decimal")

        label = _PLACE.sub(counted, value(rule, "w:lvlText") or "").strip()
        return f"{label} " if label else ""
