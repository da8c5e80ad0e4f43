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
from tasks.evaluate.io.logs import score_and_log_evaluation
from tasks.evaluate.io.score import LocatedQuestions
from tasks.search.answerability import UNANSWERED
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


def evaluated(corpus: str, questions: str) -> tuple[LocatedQuestions, dict[tuple[str, int], tuple[float, int]]]:
    evaluation = score.start_evaluation("run", Corpus(corpus), questions, OPTIONS)
    located = score.locate_gold(evaluation)
    logged = score_and_log_evaluation(evaluation, located)
    rows = [row for row in logged if (row["split"], row["domain"]) == ("all", "all")]
    return located, {(row["metric"], row["cutoff"]): (row["value"], row["n"]) for row in rows}


def test_each_kind_of_gold_is_scored_in_its_way(corpus: str, tmp_path: Path) -> None:
    located, values = evaluated(corpus, asking(tmp_path, *ASKED))
    assert located.problems == ()
    assert values["located", 0] == (1.0, 4)
    assert values["hit_rate", 1] == values["mrr", 3] == values["recall", 1] == (1.0, 4)
    assert values["precision", 1][1] == values["iou", 1][1] == 2


def test_questions_that_search_would_call_unanswered_lower_answered(corpus: str, tmp_path: Path) -> None:
    evaluation = score.start_evaluation("run", Corpus(corpus), asking(tmp_path, *ASKED), OPTIONS)
    located = score.locate_gold(evaluation)
    found = score.search_questions(evaluation, located)._replace(answered=[0.9, UNANSWERED, UNANSWERED - 0.01, None])
    scored = score.score_questions(evaluation, located, found)
    assert [one.scores.get(("answered", 0)) for one in scored] == [1.0, 1.0, 0.0, None]


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
        score.start_evaluation("run", Corpus(str(tmp_path / "none")), asking(tmp_path, *ASKED), OPTIONS)


def test_questions_and_metrics_are_appended_to_the_logs(corpus: str, tmp_path: Path) -> None:
    for run in ("first", "second"):
        evaluation = score.start_evaluation(run, Corpus(corpus), asking(tmp_path, *ASKED), OPTIONS)
        located = score.locate_gold(evaluation)
        logged = score_and_log_evaluation(evaluation, located)
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
    assert {row["lost"] for row in scores if row["run_id"] == "second"} == {None}
    results = lance.open_table(Corpus(corpus), "retrieved").to_arrow().to_pylist()
    first = next(row for row in results if (row["run_id"], row["question_id"], row["cutoff"]) == ("second", "span", 1))
    assert (first["path"], first["start_char"], first["end_char"], first["rank"]) == ("animals.txt", 0, 34, 1)
    recipe = next(row for row in lance.open_table(Corpus(corpus), "recipes").to_arrow().to_pylist() if row["run_id"] == "second")
    assert (recipe["n_documents"], recipe["n_chunks"], sum(recipe["lengths"])) == (2, 5, 5)
    assert recipe["index_bytes"] > 1000 and recipe["search_p95_ms"] >= recipe["search_p50_ms"] > 0
    moved = next(row for row in questions if (row["run_id"], row["question_id"]) == ("second", "moved"))
    assert moved["gold"] == [{"document": "animals.txt", "start": 47, "end": 64, "quote": "setts in woodland", "page": None}]
    assert moved["documents"] == ["animals.txt"]


def scores_of(corpus: str, run_id: str) -> dict[tuple[str, str, int], dict[str, Any]]:
    rows = lance.open_table(Corpus(corpus), "scores").to_arrow().to_pylist()
    return {(row["question_id"], row["metric"], row["cutoff"]): row for row in rows if row["run_id"] == run_id}


def test_chunks_pages_and_documents_are_ranked_beside_the_results(corpus: str, tmp_path: Path) -> None:
    both = [{"document": "animals.txt", "quote": quote} for quote in ("shallow water", "woodland")]
    asked = {"id": "both", "question": "woodland copper electricity", "gold": both}
    paged = {"id": "page", "question": "copper glass", "gold": [{"document": "it's.txt", "page": 2}]}
    _, values = evaluated(corpus, asking(tmp_path, asked, paged))
    scores = scores_of(corpus, "run")
    of_both = {(metric, k): row["value"] for (name, metric, k), row in scores.items() if name == "both"}
    assert of_both["chunk_recall", 1] == 0
    assert of_both["chunk_recall", 3] == of_both["document_mrr", 3] == 0.5
    assert of_both["chunk_map", 3] == 0.25
    heron, badgers, _ = TEXTS["animals.txt"].split("\n")
    assert of_both["precision_omega", 0] == pytest.approx(len("shallow waterwoodland") / len(heron + badgers))
    assert of_both["characters", 1] == len("Copper conducts electricity.")
    assert values["page_recall", 3] == (1.0, 1)
    assert scores["both", "document_mrr", 3]["cutoff_unit"] == "documents"


def test_budgets_are_filled_with_results(corpus: str, tmp_path: Path) -> None:
    options = OPTIONS.model_copy(update={"budgets": (3, 1000)})
    evaluation = score.start_evaluation("budgets", Corpus(corpus), asking(tmp_path, ASKED[0]), options)
    logged = score_and_log_evaluation(evaluation, score.locate_gold(evaluation))
    found = {(row["metric"], row["cutoff"]): row for row in logged if (row["split"], row["domain"]) == ("all", "all")}
    assert found["budget_recall", 3]["value"] == pytest.approx(3 / 7)
    assert found["budget_recall", 1000]["value"] == 1
    assert found["budget_recall", 3]["cutoff_unit"] == "tokens"


def test_scores_say_why_gold_was_lost(corpus: str, tmp_path: Path) -> None:
    gone = {"id": "gone", "question": "heron", "documents": ["missing.txt"]}
    lower = {"id": "lower", "question": "copper copper badgers", "gold": [{"document": "animals.txt", "quote": "dig setts"}]}
    never = {"id": "never", "question": "copper", "gold": [{"document": "animals.txt", "quote": "float in kelp"}]}
    parts = [{"document": "animals.txt", "quote": "shallow water.\nBadgers dig"}]
    evaluated(corpus, asking(tmp_path, gone, lower, never, {"id": "cut", "question": "heron shallow", "gold": parts}, ASKED[0]))
    scores = scores_of(corpus, "run")
    assert scores["gone", "located", 0]["lost"] == "no document"
    assert scores["lower", "recall", 1]["lost"] == "ranked lower"
    assert scores["lower", "recall", 3]["lost"] is None
    assert scores["never", "recall", 3]["lost"] == "ranked last"
    assert scores["cut", "recall", 1]["lost"] == "cut"
    assert scores["span", "recall", 1]["lost"] is None
