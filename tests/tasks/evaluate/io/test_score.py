import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from schemas.corpus import Corpus
from schemas.errors import CorpusError, InputError
from schemas.options.sections import EvaluateOptions
from tasks.evaluate.io import score
from tasks.evaluate.io.score import Located
from tasks.store import lance
from tests.tasks.small_corpus import publish_corpus

TEXTS = {
    "animals.txt": "The heron stands in shallow water.\nBadgers dig setts in woodland.\nOtters float in kelp.",
    "it's.txt": "Copper conducts electricity.\nGlass is brittle.",
}
HERON = {"document": "animals.txt", "start": 0, "end": 34, "quote": TEXTS["animals.txt"][:34]}
ASKED: list[dict[str, Any]] = [
    {"id": "span", "question": "heron shallow water", "gold": [HERON], "domain": "animals"},
    {
        "id": "moved",
        "question": "badgers dig setts",
        "gold": [{"document": "animals.txt", "start": 2, "end": 9, "quote": "setts in\nwoodland"}],
    },
    {"id": "page", "question": "glass brittle", "gold": [{"document": "it's.txt", "page": 2}], "split": "dev"},
    {"id": "document", "question": "copper", "documents": ["it's.txt"]},
]
OPTIONS = EvaluateOptions(mode="fts", returned="chunks", cutoffs=(1, 3), bootstrap_samples=100)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = str(tmp_path_factory.mktemp("corpus"))
    publish_corpus(folder, TEXTS)
    return folder


def asking(folder: Path, *questions: dict[str, Any]) -> str:
    path = folder / "questions.jsonl"
    path.write_text("\n".join(map(json.dumps, questions)))
    return str(path)


def evaluated(corpus: str, questions: str) -> tuple[Located, dict[tuple[str, int], tuple[float, int]]]:
    evaluation = score.begin("run", Corpus(corpus), questions, OPTIONS)
    located = score.locate(evaluation)
    logged = score.log(evaluation, located, score.score(evaluation, located, score.retrieve(evaluation, located)))
    rows = [row for row in logged if (row["split"], row["domain"]) == ("all", "all")]
    return located, {(row["metric"], row["cutoff"]): (row["value"], row["n"]) for row in rows}


def test_each_kind_of_gold_is_scored_in_its_way(corpus: str, tmp_path: Path) -> None:
    located, values = evaluated(corpus, asking(tmp_path, *ASKED))
    assert located.problems == ()
    assert values["located", 0] == (1.0, 4)
    assert values["hit_rate", 1] == values["mrr", 3] == values["recall", 1] == (1.0, 4)
    assert values["precision", 1][1] == values["iou", 1][1] == 2


def test_iou_counts_tokens(corpus: str, tmp_path: Path) -> None:
    _, values = evaluated(corpus, asking(tmp_path, {**ASKED[0], "gold": [{"document": "animals.txt", "quote": "shallow water"}]}))
    n_tokens = 7
    assert values["iou", 1][0] == values["precision", 1][0] == pytest.approx(2 / n_tokens)


def test_chunks_of_other_documents_count_as_retrieved(corpus: str, tmp_path: Path) -> None:
    _, values = evaluated(corpus, asking(tmp_path, {**ASKED[0], "question": "copper heron shallow water"}))
    assert values["recall", 3][0] == 1
    assert values["precision", 3][0] == pytest.approx(7 / (7 + 4))


def test_a_question_without_its_gold_is_a_problem_and_lowers_located(corpus: str, tmp_path: Path) -> None:
    gone = {"id": "gone", "question": "heron", "gold": [{"document": "animals.txt", "quote": "flamingo"}]}
    unknown = {"id": "unknown", "question": "heron", "documents": ["missing.txt"]}
    located, values = evaluated(corpus, asking(tmp_path, ASKED[0], gone, unknown))
    assert [(problem.question_id, problem.document) for problem in located.problems] == [
        ("gone", "animals.txt"),
        ("unknown", "missing.txt"),
    ]
    assert values["located", 0] == (1 / 3, 3)
    assert values["recall", 1] == (1.0, 1)


def test_questions_of_another_corpus_are_refused(corpus: str, tmp_path: Path) -> None:
    path = asking(tmp_path, {"id": "1", "question": "Who?", "documents": ["other.pdf"]})
    with pytest.raises(InputError, match=r"no question can be scored .* question 1, other.pdf"):
        evaluated(corpus, path)


def test_a_path_that_two_sources_have_names_no_document(tmp_path: Path) -> None:
    publish_corpus(str(tmp_path), TEXTS, ("first", "second"))
    with pytest.raises(InputError, match="or more than one"):
        evaluated(str(tmp_path), asking(tmp_path, ASKED[0]))


def test_a_corpus_without_a_generation_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="refresh it first"):
        score.begin("run", Corpus(str(tmp_path / "none")), asking(tmp_path, *ASKED), OPTIONS)


def test_questions_and_metrics_are_appended_to_the_logs(corpus: str, tmp_path: Path) -> None:
    for run in ("first", "second"):
        evaluation = score.begin(run, Corpus(corpus), asking(tmp_path, *ASKED), OPTIONS)
        located = score.locate(evaluation)
        logged = score.log(evaluation, located, score.score(evaluation, located, score.retrieve(evaluation, located)))
    metrics = lance.open_table(Corpus(corpus), "metrics").to_arrow()
    metrics = metrics.filter(pc.is_in(metrics["run_id"], pa.array(["first", "second"])))
    questions = lance.open_table(Corpus(corpus), "questions").to_arrow().to_pylist()
    assert metrics.num_rows == 2 * len(logged)
    assert set(metrics["generation"].to_pylist()) == {1}
    scores = lance.open_table(Corpus(corpus), "scores").to_arrow().to_pylist()
    mine = [row for row in scores if (row["run_id"], row["metric"], row["cutoff"]) == ("second", "recall", 1)]
    assert [(row["question_id"], row["value"], row["cutoff_unit"]) for row in mine] == [
        (asked["id"], 1.0, "chunks") for asked in ASKED
    ]
    moved = next(row for row in questions if (row["run_id"], row["question_id"]) == ("second", "moved"))
    assert moved["gold"] == [{"document": "animals.txt", "start": 47, "end": 64, "quote": "setts in woodland", "page": None}]
    assert moved["documents"] == ["animals.txt"]
