"""Scores of an experiment are those of the scorer of the chunking kit, for which PAGEMILL_BENCH names the folder of kits."""

import os
import runpy
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmarks.experiment.data import draw_kit
from schemas.corpus import Corpus
from schemas.options.experiment import ExperimentOptions
from tasks.experiment.io import run
from tasks.experiment.io.chunks import read_or_cut_chunks
from tasks.experiment.io.documents import read_library
from tasks.store import published
from tests.tasks.experiment.io.conftest import QUESTIONS, TEXTS
from tests.tasks.experiment.io.test_run import experiment

CHUNKERS = [
    {"strategy": ["sentence", "token-window"], "size_tokens": 128},
    {"strategy": "recursive", "size_tokens": 200, "overlap_tokens": 40},
]
K = 5
NAMES = {"recall": "recall_chars", "precision": "precision_chars", "iou": "iou_chars"}


def logged(out: Corpus, run_id: str) -> tuple[dict[str, dict[str, float]], dict[str, list[tuple[str, int, int]]]]:
    """Return the scores by question and metric, and the results of each question, best first."""
    where = f"run_id = '{run_id}'"
    scores: dict[str, dict[str, float]] = {}
    for row in published.read_log(out, "scores", None, where).to_pylist():
        scores.setdefault(row["question_id"], {})[row["metric"]] = row["value"]
    found: dict[str, list[tuple[str, int, int]]] = {}
    for row in published.read_log(out, "retrieved", None, where).sort_by("rank").to_pylist():
        found.setdefault(row["question_id"], []).append((row["path"], row["start_char"], row["end_char"]))
    return scores, found


def unused(texts: Sequence[str]) -> Any:
    raise AssertionError("these chunkers compare no sentences")


@pytest.mark.slow
@pytest.mark.skipif("PAGEMILL_BENCH" not in os.environ, reason="needs the benchmark kit")
def test_the_scores_of_three_recipes_are_those_of_the_kits_scorer(tmp_path: Path) -> None:
    folder = Path(os.environ["PAGEMILL_BENCH"]) / "chunking"
    kit = runpy.run_path(str(folder / "score_chunking.py"))
    grid: dict[str, Any] = {"chunkers": CHUNKERS, "ranking": ["lexical"], "returned": ["chunks"], "cutoffs": [K]}
    options = ExperimentOptions.model_validate({**draw_kit(folder, tmp_path / "kit"), **grid})
    out = Corpus(str(tmp_path / "out"))
    found = experiment(options, out.folder)
    questions = kit["read_questions"](folder / "questions.jsonl")
    with run.plan_and_lock_experiment(options, out) as plan:
        for cell, row in zip(plan.cells, found, strict=True):
            chunks: dict[str, list[Any]] = {}
            for chunk in read_or_cut_chunks(plan, cell, read_library(plan), unused).rows:
                place = kit["Span"](chunk["start_char"], chunk["end_char"])
                chunks.setdefault(chunk["path"].removesuffix(".md"), []).append(place)
            scores, retrieved = logged(out, row["run_id"])
            ranked = {
                name: [kit["Chunk"](path.removesuffix(".md"), kit["Span"](start, end)) for path, start, end in spans]
                for name, spans in retrieved.items()
            }
            expected = kit["score_questions"](questions, chunks, ranked, K)
            assert len(expected) == 236
            for name, values in expected.items():
                for metric, value in values.items():
                    ours = scores[str(name)][NAMES.get(metric, metric)]
                    assert ours == pytest.approx(value, abs=1e-9), (row["name"], name, metric)


def counted(question: dict[str, Any], results: list[tuple[str, int, int]]) -> dict[str, float]:
    """Return recall, precision and IoU by counting characters one by one; what is retrieved twice counts twice as retrieved."""
    gold = {
        (place["document"], at)
        for place in question["gold"]
        for start in [TEXTS[place["document"]].index(place["quote"])]
        for at in range(start, start + len(place["quote"]))
    }
    retrieved = [(path, at) for path, start, end in results for at in range(start, end)]
    right = len(gold & set(retrieved))
    return {
        "recall": right / len(gold),
        "precision": right / len(retrieved) if retrieved else 0.0,
        "iou": right / (len(retrieved) + len(gold) - right),
    }


def test_the_scores_are_what_counting_characters_gives(options: ExperimentOptions, tmp_path: Path) -> None:
    once = options.model_copy(update={"cutoffs": (3,)})
    for row in experiment(once, tmp_path / "out"):
        scores, retrieved = logged(Corpus(str(tmp_path / "out")), row["run_id"])
        for question in QUESTIONS[:4]:
            for name, value in counted(question, retrieved[question["id"]]).items():
                assert scores[question["id"]][NAMES[name]] == pytest.approx(value, abs=1e-9)
