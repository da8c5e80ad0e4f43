"""Scores of what converters make of pages whose tables and headings are known."""

import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from benchmarks.html_pairs.books import Book
from benchmarks.html_pairs.truth import MIN_NAME, plain_name
from benchmarks.parsing.scorers import report_of
from benchmarks.roundtrip.truth import comparable

_TABLE = re.compile(r"<table[^>]*>[\s\S]*?</table>|^\|.*\n\|(?: *:?-+:? *\|)+\n(?:\|.*(?:\n|\Z))*", re.MULTILINE)
_HEADING = re.compile(r"^#+ +(.*)$", re.MULTILINE)
_MARK = re.compile(r"^(?:[-*] |#+ |> )?|[*_`]")


class Scores(NamedTuple):
    """Of a book: TEDS of each table, headings found that its HTML has and has not, and headings read as text."""

    teds: list[float]
    right: int
    wrong: int
    missed: int


def scores_of(book: Book, read: Path, peers: str, scorer: Path, work: Path) -> Scores:
    """Score the Markdown in `read`, a file for every page of a book; tables by the scorer of the kit, in `work`."""
    texts = {
        pdf: (read / f"{pdf.stem}.md").read_text(encoding="utf-8") for pdf in book.pages if (read / f"{pdf.stem}.md").exists()
    }
    pairs = {
        f"{pdf.stem}-{n}-{m}": (table, found)
        for pdf, tables in book.pages.items()
        for n, table in enumerate(tables)
        for m, found in enumerate(tables_in(texts.get(pdf, "")) or [""])
    }
    teds: dict[str, float] = {}
    for name, score in _teds(pairs, peers, scorer, work).items():
        table = name.rpartition("-")[0]
        teds[table] = max(teds.get(table, 0.0), score)
    counts = [headings_in(text, book.headings) for text in texts.values()]
    right, wrong, missed = (sum(column) for column in zip(*counts, strict=True)) if counts else (0, 0, 0)
    return Scores(list(teds.values()), right, wrong, missed)


def tables_in(markdown: str) -> list[str]:
    r"""Return the tables of a Markdown text.

    >>> tables_in("text\n\n| a | b |\n| --- | --- |\n| c | d |\n\ntext")
    ['| a | b |\n| --- | --- |\n| c | d |\n']
    """
    return _TABLE.findall(markdown)


def headings_in(markdown: str, names: frozenset[str]) -> tuple[int, int, int]:
    r"""Return how many headings of a Markdown text are among `names`, how many are not, and how many other lines are.

    >>> headings_in("# 1. Water\n\n## Mills\n\n**Wheels**\n\ntext", frozenset({"water", "wheels"}))
    (1, 1, 1)
    """
    found = [plain_name(_MARK.sub("", name)) for name in _HEADING.findall(markdown)]
    lines = [plain_name(_MARK.sub("", line)) for line in markdown.splitlines() if not line.startswith("#")]
    right = sum(name in names for name in found)
    return right, len(found) - right, sum(line in names for line in lines if len(line) >= MIN_NAME)


def _teds(pairs: dict[str, tuple[str, str]], peers: str, scorer: Path, work: Path) -> dict[str, float]:
    shutil.rmtree(work, ignore_errors=True)
    for part in ("truth", "found"):
        (work / part).mkdir(parents=True)
    for name, (table, found) in pairs.items():
        (work / "truth" / f"{name}.md").write_text(table, encoding="utf-8")
        (work / "found" / f"{name}.md").write_text(comparable(found), encoding="utf-8")
    if not pairs:
        return {}
    documents = report_of(peers, scorer, work / "found", "--data", str(work))["documents"]
    return {name: row["teds"] or 0.0 for name, row in documents.items()}


def row_of(scores: Sequence[Scores]) -> list[float | None]:
    """Return what is printed of books: tables, their mean TEDS, headings, the share that is right, and that is found."""
    teds = [value for one in scores for value in one.teds]
    right, wrong, missed = (sum(getattr(one, name) for one in scores) for name in ("right", "wrong", "missed"))
    shares = [right / (right + other) if right + other else None for other in (wrong, missed)]
    return [len(teds), fmean(teds) if teds else None, right + wrong, *shares]
