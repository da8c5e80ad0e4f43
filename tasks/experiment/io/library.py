"""The library: the described documents of an experiment, in memory."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from tasks.chunk.citations import ElementIndex
from tasks.language.detection import language_of
from tasks.search.io.results import citation
from tasks.search.passages import TextSpan


class Text(NamedTuple):
    """A document: its id, its path relative to the source, and its row of DESCRIBED."""

    document_id: str
    path: str
    row: dict[str, Any]

    @property
    def text(self) -> str:
        """Return the whole text."""
        return str(self.row["text"])


class Library:
    """Documents by id, with the citations of spans in them: what a corpus reads from its tables."""

    def __init__(self, texts: Iterable[Text]) -> None:
        self.texts = {text.document_id: text for text in texts}
        self._elements: dict[str, ElementIndex] = {}
        self._languages: dict[str, str] = {}

    def load(self, documents: Sequence[str], around: Sequence[TextSpan] = ()) -> None:
        """Do nothing, because all texts are loaded."""

    def text(self, document: str) -> str:
        """Return the text of a document."""
        return self.texts[document].text

    def language(self, document: str) -> str:
        """Return the ISO 639-1 code of a document's language, told by its text; "" if that is unsure."""
        if document not in self._languages:
            self._languages[document] = language_of(self.text(document))
        return self._languages[document]

    def cite(self, spans: Sequence[TextSpan]) -> list[dict[str, Any]]:
        """Return section, pages and boxes of each span; an empty dict for a span without elements."""
        return [citation(self._elements_of(name), start, end) for name, start, end in spans]

    def _elements_of(self, document: str) -> ElementIndex:
        if document not in self._elements:
            self._elements[document] = ElementIndex(self.texts[document].row["elements"])
        return self._elements[document]
