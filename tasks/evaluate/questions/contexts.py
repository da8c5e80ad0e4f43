"""Contexts: texts that are searched for in all documents, whatever their white space."""

from bisect import bisect_right
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from schemas.shown import quote_text
from tasks.chunk.sentences import find_sentence_spans
from tasks.evaluate.gold import Gold, GoldNotFound
from tasks.evaluate.questions.formats import Context
from tasks.evaluate.scoring import Span
from tasks.language.detection import detect_language

BORDER = "\x1f"
"""Between documents. It is white space for Python, so no squeezed text contains it."""
MOST_FOUND = 1000
MOST_NAMED = 3


class TextPlace(NamedTuple):
    """A place of a text: the document, and where the text begins in it, white space not counted."""

    path: str
    at: int


def remove_white_space(text: str) -> str:
    """Return a text without white space."""
    return "".join(text.split())


class TextIndex:
    """The texts of all documents, by path, to search in."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._paths = list(texts)
        parts = [remove_white_space(text) for text in texts.values()]
        lengths = [len(part) + len(BORDER) for part in parts]
        self._starts = np.cumsum([0, *lengths]).tolist()
        self._all = BORDER.join(parts)
        self._positions: dict[str, NDArray[np.int64]] = {}

    def locate_context(self, context: Context) -> Gold:
        """Return the span of the answer. If the context does not occur, the sentence with the answer is searched for.

        Raises:
            Misplaced: they occur nowhere, or more than once.
        """
        start, end = context.answer or (0, len(context.text))
        for low, high in dict.fromkeys([(0, len(context.text)), *_find_answer_sentence(context)]):
            found = self._find_places(context.text[low:high])
            if len(found) > 1:
                named = ", ".join(dict.fromkeys(one.path for one in found[:MOST_NAMED]))
                raise GoldNotFound(f"this text occurs more than once (in {named}), name the document: {quote_text(context.text)}")
            if found:
                before = len(remove_white_space(context.text[low:start]))
                return self._make_gold(found[0], before, len(remove_white_space(context.text[start:end])))
        raise GoldNotFound(f"no document contains this text: {quote_text(context.text)}")

    def _make_gold(self, found: TextPlace, before: int, length: int) -> Gold:
        positions = self._list_visible_positions(found.path)
        start, end = int(positions[found.at + before]), int(positions[found.at + before + length - 1]) + 1
        return Gold(document=found.path, start=start, end=end, quote=self._texts[found.path][start:end])

    def _find_places(self, text: str) -> list[TextPlace]:
        """Return the places of a text: the exact ones, or if there are none, those with any white space."""
        sought, found, at = remove_white_space(text), list[TextPlace](), -1  # `at` begins before the first character
        while sought and len(found) < MOST_FOUND and (at := self._all.find(sought, at + 1)) >= 0:
            number = bisect_right(self._starts, at) - 1
            found.append(TextPlace(self._paths[number], at - self._starts[number]))
        if len(found) < 2:
            return found
        exact = [one for one in found if self._is_exact_match(one, text.strip(), len(sought))]
        return exact or found

    def _is_exact_match(self, found: TextPlace, text: str, length: int) -> bool:
        positions = self._list_visible_positions(found.path)
        start, end = int(positions[found.at]), int(positions[found.at + length - 1]) + 1
        return self._texts[found.path][start:end] == text

    def _list_visible_positions(self, path: str) -> NDArray[np.int64]:
        """Return where each character of a document that is not white space stands."""
        if path not in self._positions:
            marks = np.fromiter((not letter.isspace() for letter in self._texts[path]), dtype=bool)
            self._positions[path] = np.flatnonzero(marks)
        return self._positions[path]


def _find_answer_sentence(context: Context) -> list[Span]:
    if context.answer is None:
        return []
    start, end = context.answer
    spans = find_sentence_spans(context.text, language=detect_language(context.text))
    return [(low, high) for low, high in spans if low <= start and end <= high]
