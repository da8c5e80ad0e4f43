import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from schemas.corpus import Corpus
from schemas.errors import AnswerError, CostError, InputError, ServiceError
from schemas.options.chat import ChatOptions
from tasks.evaluate.io import score
from tasks.store import lance
from tests.chat_endpoint import ChatEndpoint, fails, playing, says
from tests.tasks.evaluate.answers.io.corpora import GLASS, GRADES, HERON, TEXTS, UNKNOWN, Reader, asking, evaluated, options
from tests.tasks.small_corpus import publish_corpus


@pytest.fixture(autouse=True)
def _no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PAGEMILL_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def corpus(tmp_path: Path) -> str:
    folder = str(tmp_path / "corpus")
    publish_corpus(folder, TEXTS, with_embedder=True)
    return folder


@pytest.fixture
def reader() -> Iterator[Reader]:
    with playing(endpoint=Reader()) as endpoint:
        assert isinstance(endpoint, Reader)
        yield endpoint


def chat(endpoint: ChatEndpoint, **given: Any) -> ChatOptions:
    return ChatOptions(**{"base_url": endpoint.url, "model": "reader", "retry_seconds": (), "calls_at_once": 1, **given})


def test_the_builtin_reader_quotes_the_nearest_sentence(corpus: str, tmp_path: Path) -> None:
    found = evaluated(corpus, asking(tmp_path, HERON, GLASS, UNKNOWN), options(answers="builtin", budgets=(2, 100)))
    assert found["answer_none", 100] == (pytest.approx(1 / 3), 3)
    assert found["answer_em", 100] == (0, 2)
    assert found["answer_f1", 100] == (pytest.approx((2 * 3 / (5 + 3)) / 2), 2)
    assert found["answer_f1", 2][0] == 0
    assert 0.25 < found["answer_bertscore_minilm", 100][0] < 0.5
    assert found["answer_faithfulness_support", 100] == (1, 2)
    metrics = lance.open_table(Corpus(corpus), "metrics").to_arrow().to_pylist()
    assert {row["cutoff_unit"] for row in metrics if row["metric"].startswith("answer_")} == {"tokens"}


def test_without_a_reader_nothing_is_answered(corpus: str, tmp_path: Path) -> None:
    assert evaluated(corpus, asking(tmp_path, HERON), options()) == {}


def test_a_model_reads_the_results_within_the_budget(corpus: str, tmp_path: Path, reader: Reader) -> None:
    found = evaluated(corpus, asking(tmp_path, HERON), options(answers="chat", budgets=(3, 100)), chat(reader))
    assert [asked["messages"][1]["content"] for asked in reader.asked] == [
        f"Context:\n[1] {context}\n\nQuestion: Where does the heron stand?"
        for context in ("The heron stands", "The heron stands in shallow water.")
    ]
    assert found["answer_f1", 100] == (0.8, 1)
    assert found["answer_em", 100] == found["answer_none", 100] == (0, 1)
    assert found["answer_faithfulness_support", 100] == (1, 1)
    assert found["answer_faithfulness_support", 3][0] < 1
    assert not any(metric.startswith("judge_") for metric, _ in found)
    (recipe,) = lance.open_table(Corpus(corpus), "recipes").to_arrow().to_pylist()
    logged = json.loads(recipe["options"])
    assert (logged["answers"]["reader"], logged["answers"]["chat"]["model"]) == ("chat", "reader")
    assert "answers" not in logged["evaluate"]


def test_none_is_no_answer_and_neither_is_an_empty_context(corpus: str, tmp_path: Path) -> None:
    with playing(says("NONE.")) as endpoint:
        found = evaluated(corpus, asking(tmp_path, HERON, UNKNOWN), options(answers="chat", judge=True), chat(endpoint))
    assert len(endpoint.asked) == 1
    assert found == {
        ("answer_none", 100): (1, 2),
        ("answer_em", 100): (0, 2),
        ("answer_f1", 100): (0, 2),
        ("answer_bertscore_minilm", 100): (0, 2),
    }


def test_a_judge_grades_answers_and_is_asked_twice(corpus: str, tmp_path: Path) -> None:
    with playing(endpoint=Reader("shallow water", GRADES, {**GRADES, "coherence": 1})) as endpoint:
        found = evaluated(corpus, asking(tmp_path, HERON), options(answers="chat", judge=True), chat(endpoint))
    assert {metric: value for (metric, _), (value, _) in found.items() if metric.startswith("judge_")} == {
        "judge_relevance": 1,
        "judge_completeness": 0.8,
        "judge_coherence": 1,
        "judge_faithfulness": 0.6,
        "judge_agreement": 0.75,
    }


def test_a_judge_grades_the_builtin_reader_too(corpus: str, tmp_path: Path, reader: Reader) -> None:
    found = evaluated(corpus, asking(tmp_path, GLASS), options(answers="builtin", judge=True), chat(reader))
    assert found["judge_agreement", 100] == (1, 1)
    assert "[1] Glass is brittle." in reader.asked[0]["messages"][1]["content"].partition("Answer:")[2]


def test_one_useless_judgement_is_left_out(corpus: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with playing(endpoint=Reader("It is.", GRADES, "Well, it is a fine answer.", GRADES)) as endpoint:
        found = evaluated(corpus, asking(tmp_path, HERON, GLASS), options(answers="chat", judge=True), chat(endpoint))
    assert (found["judge_relevance", 100][1], found["answer_none", 100][1]) == (1, 2)
    assert "1 of 2 judgements are of no use" in caplog.text
    assert "prose instead of JSON" in caplog.text


def test_a_judge_of_prose_ends_the_evaluation_and_nothing_is_logged(corpus: str, tmp_path: Path) -> None:
    with (
        playing(endpoint=Reader("It is.", "A fine answer.")) as endpoint,
        pytest.raises(AnswerError, match="prose instead of JSON"),
    ):
        evaluated(corpus, asking(tmp_path, HERON), options(answers="chat", judge=True), chat(endpoint))
    assert not lance.does_table_exist(Corpus(corpus), "metrics")


def test_at_the_cap_an_evaluation_stops_and_another_run_goes_on(
    corpus: str, tmp_path: Path, reader: Reader, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "tasks")
    questions, asked = asking(tmp_path, HERON, GLASS), options(answers="chat")
    capped = chat(reader, output_price=1000, max_tokens=30, max_cost=0.04)
    with pytest.raises(CostError, match=r"Answers are kept .* run the same again, or raise the cap"):
        evaluated(corpus, questions, asked, capped)
    assert len(reader.asked) == 1
    evaluated(corpus, questions, asked, capped)
    assert len(reader.asked) == 2
    assert "answers by reader: 1 calls (100 tokens in, 20 out) for $0.0200; 1 answers were kept from before" in caplog.text


def test_an_endpoint_that_fails_is_an_error_that_may_pass(corpus: str, tmp_path: Path) -> None:
    with playing(fails(503)) as endpoint, pytest.raises(ServiceError, match="status 503"):
        evaluated(corpus, asking(tmp_path, HERON), options(answers="chat"), chat(endpoint))


@pytest.mark.parametrize("given", [{"answers": "chat"}, {"answers": "builtin", "judge": True}])
def test_a_missing_endpoint_is_told_before_anything_is_read(tmp_path: Path, given: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"no endpoint is set .* PAGEMILL_CHAT_BASE_URL"):
        score.start_evaluation("run", Corpus(str(tmp_path / "none")), "no questions", options(**given))
