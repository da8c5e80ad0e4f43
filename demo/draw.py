"""Draw the documents of the demo: a typical folder, with two documents that cannot be read."""

from pathlib import Path
from typing import Final

from demo import charts, pages, texts
from demo.questions import QUESTIONS, write_questions

__all__ = ["DOCUMENTS", "QUESTIONS", "UNREADABLE", "draw_corpus", "write_questions"]

DOCUMENTS: Final = (
    "annual-report-2024.pdf",
    "archive/letter-1987.pdf",
    "archive/tide-log.txt",
    "charts-2024.pdf",
    "handbook.md",
    "harvest-figures-2024.pdf",
    "landings-2024.pdf",
    "minutes-2025-03.txt",
)
"""The documents that can be read, by path relative to the folder."""

UNREADABLE: Final = ("archive/broken.pdf", "archive/locked.pdf")
"""The documents that cannot be read: a corrupt PDF and a PDF with a password."""


def draw_corpus(folder: Path) -> None:
    """Write DOCUMENTS, UNREADABLE and a metadata.csv into `folder`. Only the keys of the locked file differ each time."""
    (folder / "archive").mkdir(parents=True, exist_ok=True)
    pages.draw_report(folder / "annual-report-2024.pdf", texts.REPORT)
    pages.draw_tables(folder / "harvest-figures-2024.pdf")
    pages.draw_landings(folder / "landings-2024.pdf", texts.LANDINGS)
    charts.draw_charts(folder / "charts-2024.pdf")
    pages.draw_scan(folder / "archive/letter-1987.pdf", texts.SCANNED)
    pages.draw_locked(folder / "archive/locked.pdf")
    pages.spoil(folder / "archive/broken.pdf", folder / "harvest-figures-2024.pdf")
    for name, text in (
        ("handbook.md", texts.HANDBOOK),
        ("minutes-2025-03.txt", texts.MINUTES),
        ("archive/tide-log.txt", texts.TIDE_LOG),
        ("metadata.csv", texts.METADATA),
    ):
        (folder / name).write_text(text, "utf-8", newline="\n")
