"""Questions about the demo's documents, with the quotes that answer them."""

import json
from pathlib import Path
from typing import Any, Final


def _as_json(name: str, question: str, answer: str, document: str, **place: Any) -> dict[str, Any]:
    return {
        "id": name,
        "question": question,
        "documents": [document],
        "gold": [{"document": document, **place}],
        "answer": answer,
        "domain": "kelp",
        "split": "test",
    }


QUESTIONS: Final[list[dict[str, Any]]] = [
    _as_json(
        "hall-opened",
        "When was the drying hall at Brattness opened?",
        "14 May 2024",
        "annual-report-2024.pdf",
        quote="The drying hall at Brattness was opened on 14 May 2024",
    ),
    _as_json(
        "approval-signed",
        "Which harbour master signed the letter of approval?",
        "Torvald Renning",
        "archive/letter-1987.pdf",
        quote="Torvald Renning, harbour master",
    ),
    _as_json(
        "extract-price",
        "What is the price of extract for cosmetics?",
        "310",
        "harvest-figures-2024.pdf",
        page=1,
    ),
    _as_json(
        "guests-load",
        "How many tonnes came in June 2024 with guests on board?",
        "26.2",
        "landings-2024.pdf",
        page=2,
    ),
    _as_json(
        "best-strain",
        "Which kelp strain grew longer blades than the one in use?",
        "Grey Widow",
        "annual-report-2024.pdf",
        quote="Grey Widow grew 18 percent longer blades",
    ),
    _as_json(
        "tank-alarm",
        "How long does a tank survive that is too warm?",
        "nine hours",
        "handbook.md",
        quote="A tank above 12.5 degrees is lost within nine hours.",
    ),
    _as_json(
        "fog-rule",
        "On which radio channel is the visibility read out in the morning?",
        "channel 12",
        "minutes-2025-03.txt",
        quote="reads out the visibility on channel 12 at five in the morning",
    ),
]
"""Questions with a document and the place of the answer: a quote from the document's text, or a page."""


def write_questions(path: Path) -> None:
    """Write QUESTIONS to `path` as JSON lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(question) + "\n" for question in QUESTIONS), "utf-8")
