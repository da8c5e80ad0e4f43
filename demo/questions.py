"""Questions about the demo's documents, with the quotes that answer them."""

import json
from pathlib import Path
from typing import Any, Final


def _asked(name: str, question: str, document: str, quote: str, answer: str) -> dict[str, Any]:
    return {
        "id": name,
        "question": question,
        "documents": [document],
        "gold": [{"document": document, "start": None, "end": None, "quote": quote}],
        "answer": answer,
        "domain": "kelp",
        "split": "test",
    }


QUESTIONS: Final[list[dict[str, Any]]] = [
    _asked(
        "hall-opened",
        "When was the drying hall at Brattness opened?",
        "annual-report-2024.pdf",
        "The drying hall at Brattness was opened on 14 May 2024",
        "14 May 2024",
    ),
    _asked(
        "best-strain",
        "Which kelp strain grew longer blades than the one in use?",
        "annual-report-2024.pdf",
        "Grey Widow grew 18 percent longer blades",
        "Grey Widow",
    ),
    _asked(
        "tank-alarm",
        "How long does a tank survive that is too warm?",
        "handbook.md",
        "A tank above 12.5 degrees is lost within nine hours.",
        "nine hours",
    ),
    _asked(
        "fog-rule",
        "Which radio channel tells the visibility in the morning?",
        "minutes-2025-03.txt",
        "reads out the visibility on channel 12 at five in the morning",
        "channel 12",
    ),
    _asked(
        "approval-lines",
        "Who was the harbour master that signed the letter of approval?",
        "archive/letter-1987.pdf",
        "Torvald Renning, harbour master",
        "Torvald Renning",
    ),
]
"""Question, documents, gold quotes (to be located in the documents' text), answer."""


def write_questions(path: Path) -> None:
    """Write QUESTIONS to `path` as JSON lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(question) + "\n" for question in QUESTIONS), "utf-8")
