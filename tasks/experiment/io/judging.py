"""Judging: a sheet with what every recipe found for every question, and columns for people to fill in.

The columns are those of Laughlin (2025): is what was retrieved relevant (0 to 1), is an answer from it relevant, complete and
coherent (0 to 5 each), and is it consistent with the sources (0 to 1).
"""

import csv
import io
from collections.abc import Iterable, Iterator
from pathlib import Path

from schemas.errors import InputError
from tasks.experiment.io.documents import read_library
from tasks.experiment.io.plan import Plan
from tasks.experiment.table import MeasuredRecipe
from tasks.store import conditions, files, published

RATINGS = ("retrieval_accuracy", "answer_relevance", "answer_completeness", "answer_coherence", "factual_consistency")
KEY = ("run", "question_id")
COLUMNS = (*KEY, "recipe", "question", "expected", "retrieved", *RATINGS)
SHEET = "judgements.csv"
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A cell that begins like this would be a formula of a spreadsheet."""


def write_judging_sheet(plan: Plan, found: Iterable[MeasuredRecipe]) -> Path:
    """Write the sheet into the experiment's folder, and return its path. Rows that people have filled in stay.

    Raises:
        InputError: a sheet is there that is none of these.
    """
    path = plan.out.folder / SHEET
    kept = {tuple(row[name] for name in KEY): row for row in _read_judging_sheet(path)}
    rows = [*kept.values(), *(row for row in _make_sheet_rows(plan, found) if tuple(row[name] for name in KEY) not in kept)]
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS)
    writer.writeheader()
    writer.writerows(rows)
    files.write_atomically(path, text.getvalue().encode("utf-8-sig"))
    return path


def _read_judging_sheet(path: Path) -> list[dict[str, str]]:
    if not path.exists():
        return []
    with path.open(encoding="utf-8-sig", newline="") as lines:
        reader = csv.DictReader(lines)
        rows = list(reader)
    if tuple(reader.fieldnames or ()) != COLUMNS:
        raise InputError(f"{path} is not a sheet of judgements of this version: move it away, and merge it by hand")
    return rows


def _make_sheet_rows(plan: Plan, found: Iterable[MeasuredRecipe]) -> Iterator[dict[str, str]]:
    """Yield a row for each recipe and question, at the decisive cutoff."""
    texts, k = read_library(plan).texts, plan.options.decisive_cutoff
    for recipe in found:
        where = f"{conditions.make_in_condition('run_id', [recipe['run_id']])} AND cutoff = {k}"
        results: dict[str, list[str]] = {}
        for row in published.read_log(plan.out, "retrieved", None, where).sort_by("rank").to_pylist():
            text = texts[row["document_id"]].text[row["start_char"] : row["end_char"]]
            results.setdefault(row["question_id"], []).append(
                f"[{row['rank']}] {row['path']}{_format_pages(row['pages'])}: {text}"
            )
        for question in plan.questions:
            expected = question.answer or "; ".join(gold.quote or f"{gold.document}, page {gold.page}" for gold in question.gold)
            context = "\n\n".join(results.get(question.id, []))
            values = (recipe["run_id"][:8], question.id, recipe["name"], question.question, expected, context)
            yield {name: _escape_formula(value) for name, value in zip(COLUMNS, (*values, *[""] * len(RATINGS)), strict=True)}


def _format_pages(pages: Iterable[int]) -> str:
    shown = ", ".join(map(str, pages))
    return f", page {shown}" if shown else ""


def _escape_formula(value: str) -> str:
    return f"'{value}" if value.startswith(FORMULA) else value
