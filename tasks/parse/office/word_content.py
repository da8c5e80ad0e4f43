"""What one paragraph of Word holds: its words with their looks, and the objects anchored in it."""

from dataclasses import dataclass, field
from typing import Any

from tasks.parse.elements.flow_document import FlowBlock
from tasks.parse.raised import shifted_text


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
