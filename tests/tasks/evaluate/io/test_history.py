import json
from pathlib import Path
from typing import Any

import pytest

from schemas.corpus import Corpus
from schemas.errors import InputError
from schemas.options.sections import EvaluateOptions
from tasks.evaluate.corpus_status import draw_mean_history
from tasks.evaluate.io import score
from tasks.evaluate.io.history import read_evaluation_history
from tasks.evaluate.io.logs import score_and_log_evaluation
from tasks.evaluate.io.read_logs import list_metrics, list_scores
from tasks.evaluate.io.score import Evaluation
from tests.tasks.small_corpus import publish_corpus

WORDS = ("heron", "badger", "otter", "weasel", "falcon", "salmon", "beetle", "cricket")
TEXTS = {f"{word}.txt": f"The {word} sleeps.\nSand and stones." for word in WORDS}
OPTIONS = EvaluateOptions(mode="fts", returned="chunks", cutoffs=(1, 3), bootstrap_samples=100)


def asked(word: str, question: str) -> dict[str, Any]:
    return {"id": word, "question": question, "gold": [{"document": f"{word}.txt", "quote": f"The {word} sleeps."}]}


def evaluate(folder: Path, night: int, missed: int = 0, options: EvaluateOptions = OPTIONS) -> Evaluation:
    """Evaluate; the first `missed` questions find nothing."""
    path = folder / "questions.jsonl"
    lines = [asked(word, "stones" if at < missed else word) for at, word in enumerate(WORDS)]
    path.write_text("\n".join(map(json.dumps, lines)))
    evaluation = score.start_evaluation(f"night {night}", Corpus(str(folder / "corpus")), str(path), options)
    score_and_log_evaluation(evaluation, score.locate_gold(evaluation))
    return evaluation


def test_a_fall_since_the_night_before_is_an_alarm_and_quiet_nights_are_none(tmp_path: Path) -> None:
    publish_corpus(str(tmp_path / "corpus"), TEXTS)
    first = read_evaluation_history(evaluate(tmp_path, 1))
    assert not first.alarm.raised
    assert "no earlier evaluation" in first.alarm.message
    assert not read_evaluation_history(evaluate(tmp_path, 2)).alarm.raised
    evaluate(tmp_path, 3, 2, OPTIONS.model_copy(update={"cutoffs": (1,)}))
    back = read_evaluation_history(evaluate(tmp_path, 4, missed=7))
    assert back.alarm.raised
    assert [round(night.mean.value, 3) for night in back.nights] == [1, 1, 0.125]
    assert back.watched == "recall@3"
    drawn = draw_mean_history(
        back.watched, [night.generation for night in back.nights], [night.mean[:3] for night in back.nights]
    )
    assert drawn.count("<title>generation ") == 3 and "nan" not in drawn


def test_the_logs_are_read_by_evaluation_and_by_question(tmp_path: Path) -> None:
    publish_corpus(str(tmp_path / "corpus"), TEXTS)
    evaluation = evaluate(tmp_path, 1, missed=2)
    metrics = list_metrics(evaluation.corpus, "night 1")
    assert metrics[0]["split"] == metrics[0]["domain"] == "all"
    rows = list_scores(evaluation.corpus, "night 1", "recall", 1)
    assert [(row["question_id"], row["value"], row["lost"] is not None) for row in rows[:3]] == [
        ("badger", 0, True),
        ("heron", 0, True),
        ("beetle", 1, False),
    ]
    assert rows[0]["question"] == "stones"
    with pytest.raises(InputError, match=r"beauty@1 is not in this evaluation: choose one of .*recall@1"):
        list_scores(evaluation.corpus, "night 1", "beauty", 1)
