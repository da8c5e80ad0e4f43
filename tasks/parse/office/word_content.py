"""What one paragraph of Word holds: its words with their looks, and the objects anchored in it."""

from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from tasks.parse.elements.flow_document import FlowBlock
from tasks.parse.raised import struck, subscript, superscript, with_fractions

MAX_RAISED = 24
"""Raised or lowered text of more characters is a line that stands off its place, not an exponent, an index or a mark."""
STRUCK = 2
"""The shift of text that is struck through, whether or not it is raised."""
_WRITTEN = {1: superscript, -1: subscript}


@dataclass
class ParagraphContent:
    """A paragraph's text and the objects in it: figures, text boxes (the elements that contain their paragraphs), notes.

    `parts` are pieces of text with their shift: 1 is raised, -1 is lowered, `STRUCK` is struck through. `readings` are words with
    how they are read.
    """

    parts: list[tuple[int, str]] = field(default_factory=list)
    has_words: bool = False
    has_equations: bool = False
    figures: list[FlowBlock] = field(default_factory=list)
    boxes: list[Any] = field(default_factory=list)
    notes: list[tuple[str, str, str]] = field(default_factory=list)
    readings: dict[str, str] = field(default_factory=dict)
    in_form_field: bool = False

    @property
    def text(self) -> str:
        """The text, including white space, with the readings of its words behind it."""
        text = shifted_text(self.parts)
        told = "; ".join(f"{word}: {reading}" for word, reading in self.readings.items())
        return f"{text} ({told})" if told else text

    def add(self, text: str, shift: int = 0) -> None:
        """Append words."""
        self.parts.append((shift, text))
        self.has_words = self.has_words or bool(text.strip())


def shifted_text(parts: list[tuple[int, str]]) -> str:
    """Return pieces of text as one, with raised and lowered ones apart from what they follow, and struck ones marked.

    Where all words are shifted alike, none of them is raised.

    >>> shifted_text([(0, "10"), (1, "-"), (1, "6"), (0, " kg")]), shifted_text([(1, "all")]), shifted_text([(STRUCK, "all")])
    ('10^(-6) kg', 'all', '~~all~~')
    """
    if not any(shift for shift, _ in parts):
        return "".join(text for _, text in parts)
    shifts = {shift for shift, text in parts if text.strip()}
    if len(shifts) < 2 and STRUCK not in shifts:
        return "".join(text for _, text in parts)
    runs = [(shift, "".join(text for _, text in run)) for shift, run in groupby(parts, key=lambda part: part[0])]
    written = ""
    for shift, text in runs:
        if shift == STRUCK:
            written += struck(text)
        else:
            written += _WRITTEN[shift](text, written) if shift and len(text.strip()) <= MAX_RAISED else text
    return with_fractions(written)
