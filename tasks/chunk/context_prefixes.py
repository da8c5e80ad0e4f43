"""Contextual prefixes: a document's title and section, put before a chunk's own text for the embedder."""

from bisect import bisect_right
from collections.abc import Callable, Collection, Sequence

from schemas.records import PlacedElement
from schemas.tables.elements import HEADINGS
from tasks.parse.elements.assembly import plain_heading

MARKS = "# "
"""What Markdown puts before a heading."""


def list_prefix_facts(context: Collection[str]) -> dict[str, str]:
    """Return the facts about prefixes that change what the embedder sees; none for corpora whose prefixes hold no title."""
    return {"titles": "plain"} if "title" in context else {}


class ContextPrefixes:
    """The prefixes of one document's sections. `n_tokens` is the length of the longest prefix in use."""

    def __init__(self, elements: Sequence[PlacedElement], context: Collection[str]) -> None:
        """`elements` are rows of DESCRIBED's elements; `context` names what a prefix holds: title, section, both or nothing."""
        placed = sorted((end, i) for i, e in enumerate(elements) if (end := e["end_char"]) is not None)
        self._ends = [end for end, _ in placed]
        self._elements = [elements[i] for _, i in placed]
        titles = [e["text"] for e in elements if e["kind"] == "title"] or [e["text"] for e in elements if e["level"] == 1]
        self._title = " ".join(plain_heading(titles[0]).split()) if titles and "title" in context else ""
        self._section = "section" in context
        self._kept: dict[str, bool] = {}
        self.n_tokens = 0

    def drop_long_prefixes(self, most: int, measured: Callable[[Sequence[str]], list[int]]) -> "ContextPrefixes":
        """Drop the prefixes of more than `most` tokens; return this object."""
        texts = sorted({self._write_prefix(section) for section in self._list_section_paths()} - {""})
        counts = dict(zip(texts, measured([text + "\n" for text in texts]), strict=True)) if texts else {}
        self._kept = {text: n <= most for text, n in counts.items()}
        self.n_tokens = max((n for n in counts.values() if n <= most), default=0)
        return self

    def _list_section_paths(self) -> set[tuple[str, ...]]:
        return {(), *(tuple(e["section"]) for e in self._elements)}

    def get_prefix(self, start: int, body: str) -> str:
        """Return the prefix of a piece that starts at `start`; blank if it has none, or if its text begins with the heading."""
        path = self._find_section_path(start) if self._section else ()
        text = self._write_prefix(path)
        return text if self._kept.get(text) and not (path and body.lstrip(MARKS).startswith(path[-1])) else ""

    def _find_section_path(self, start: int) -> tuple[str, ...]:
        """Return the section of the first element after `start` that is not a heading."""
        at = bisect_right(self._ends, start)
        following = self._elements[at : at + 8]
        named = next((e for e in following if e["kind"] not in HEADINGS), following[0] if following else None)
        return tuple(named["section"]) if named else ()

    def _write_prefix(self, path: tuple[str, ...]) -> str:
        named = path[:1] == (self._title,) and self._section
        return "\n".join(part for part in ("" if named else self._title, " > ".join(path) if self._section else "") if part)
