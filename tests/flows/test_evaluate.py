import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import FlowRunFilter, FlowRunFilterId

from flows.cli.evaluate import run_evaluation
from flows.evaluate import evaluate
from schemas.corpus import Corpus
from schemas.errors import InputError
from schemas.options.chat import ChatOptions
from schemas.options.sections import EvaluateOptions
from tasks.publish.io.reports.names import make_artifact_key
from tasks.store import lance
from tests.chat_endpoint import fails, playing, says
from tests.tasks.small_corpus import publish_corpus

TEXTS = {"animals.txt": "The heron stands in shallow water.\nBadgers dig setts in woodland."}
OPTIONS = EvaluateOptions(mode="fts", returned="chunks", bootstrap_samples=100)


def asking(folder: Path, *questions: Mapping[str, object]) -> str:
    path = folder / "questions.jsonl"
    path.write_text("\n".join(map(json.dumps, questions)))
    return str(path)


@pytest.mark.usefixtures("prefect_api")
def test_an_evaluation_logs_its_metrics_and_leaves_them_in_the_ui(tmp_path: Path) -> None:
    corpus = str(tmp_path / "corpus")
    publish_corpus(corpus, TEXTS)
    good = {"id": "1", "question": "heron", "gold": [{"document": "animals.txt", "quote": "shallow water"}]}
    gone = {"id": "2", "question": "flamingo", "gold": [{"document": "animals.txt", "quote": "flamingo"}]}
    rows = evaluate(corpus, asking(tmp_path, good, gone), OPTIONS)
    recalls = [row for row in rows if (row["metric"], row["split"], row["domain"]) == ("recall", "all", "all")]
    assert [(row["cutoff"], row["value"], row["n"]) for row in recalls] == [(k, 1.0, 1) for k in (1, 3, 5, 10)]
    assert lance.open_table(Corpus(corpus), "metrics").count_rows() == len(rows)
    assert lance.open_table(Corpus(corpus), "questions").count_rows() == 2
    with get_client(sync_client=True) as client:
        (run,) = client.read_flow_runs(flow_run_filter=FlowRunFilter(id=FlowRunFilterId(any_=[rows[0]["run_id"]])))
        names = {task.name for task in client.read_task_runs(flow_run_filter=FlowRunFilter(id=FlowRunFilterId(any_=[run.id])))}
        artifacts = {artifact.key: str(artifact.data) for artifact in client.read_artifacts()}
    assert run.name == "corpus with questions.jsonl"
    assert run.tags == ["corpus"]
    assert any(name.startswith("score ") for name in names)
    assert r"1.000 \[1.000, 1.000\]" in artifacts[make_artifact_key("evaluation", corpus)]
    assert "flamingo" in artifacts[make_artifact_key("evaluation-problems", corpus)]


def test_an_evaluation_without_a_server_logs_its_metrics(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path / "prefect"))
    corpus = str(tmp_path / "corpus")
    publish_corpus(corpus, TEXTS)
    question = {"id": "1", "question": "heron", "gold": [{"document": "animals.txt", "quote": "shallow water"}]}
    rows = run_evaluation(Corpus(corpus), asking(tmp_path, question), OPTIONS)
    assert lance.open_table(Corpus(corpus), "metrics").count_rows() == len(rows) > 0
    assert not (tmp_path / "prefect").exists()


@pytest.mark.usefixtures("prefect_api")
def test_an_evaluation_of_questions_that_fit_nothing_fails_and_logs_nothing(tmp_path: Path) -> None:
    corpus = str(tmp_path / "corpus")
    publish_corpus(corpus, TEXTS)
    with pytest.raises(InputError, match="no question can be scored"):
        evaluate(corpus, asking(tmp_path, {"id": "1", "question": "Who?", "documents": ["other.pdf"]}), OPTIONS)
    assert not lance.does_table_exist(Corpus(corpus), "metrics")


@pytest.mark.usefixtures("prefect_api")
def test_a_flow_has_questions_answered_and_logs_what_that_cost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGEMILL_API_KEY", "sk-secret-of-the-flow")
    corpus = str(tmp_path / "corpus")
    publish_corpus(corpus, TEXTS, with_embedder=True)
    asked = {"id": "1", "question": "heron", "documents": ["animals.txt"], "answer": "shallow water"}
    options = EvaluateOptions(mode="fts", returned="chunks", bootstrap_samples=100, budgets=(500,), answers="chat")
    with playing(says("shallow water")) as endpoint:
        chat = ChatOptions(base_url=endpoint.url, model="reader", output_price=10)
        rows = evaluate(corpus, asking(tmp_path, asked), options, chat)
    [em] = [row for row in rows if (row["metric"], row["split"], row["domain"]) == ("answer_em", "all", "all")]
    assert (em["value"], em["cutoff"], em["cutoff_unit"]) == (1.0, 500, "tokens")
    with get_client(sync_client=True) as client:
        of_run = FlowRunFilter(id=FlowRunFilterId(any_=[em["run_id"]]))
        names = {task.name for task in client.read_task_runs(flow_run_filter=of_run)}
        (run,) = client.read_flow_runs(flow_run_filter=of_run)
    assert "answer questions of questions.jsonl" in names
    assert "sk-secret-of-the-flow" not in run.model_dump_json()


@pytest.mark.usefixtures("prefect_api")
def test_answers_are_tried_again_when_the_endpoint_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tasks.evaluate.tasks.answer_questions.retry_delay_seconds", [0, 0])
    corpus = str(tmp_path / "corpus")
    publish_corpus(corpus, TEXTS, with_embedder=True)
    asked = {"id": "1", "question": "heron", "documents": ["animals.txt"]}
    with playing(fails(503), says("NONE")) as endpoint:
        chat = ChatOptions(base_url=endpoint.url, model="reader", retry_seconds=())
        options = EvaluateOptions(mode="fts", returned="chunks", bootstrap_samples=100, budgets=(500,), answers="chat")
        evaluate(corpus, asking(tmp_path, asked), options, chat)
    assert len(endpoint.asked) == 2
