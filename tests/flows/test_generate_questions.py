import json
from pathlib import Path

import pytest
from prefect.client.orchestration import get_client

from flows.generate_questions import generate_questions
from schemas.errors import ServiceError
from schemas.options.chat import ChatOptions
from schemas.options.questions import GenerateOptions
from tasks.evaluate.io.question_files import read_questions
from tasks.publish.io.reports.names import make_artifact_key
from tests.chat_endpoint import fails, playing, says
from tests.tasks.small_corpus import publish_corpus

TEXT = "The heron stands in shallow water by the old weir of the mill."
SECRET = "sk-secret-of-the-flow"


@pytest.mark.usefixtures("prefect_api")
def test_a_flow_writes_questions_and_shows_them_and_their_cost_in_the_ui_but_no_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAGEMILL_API_KEY", SECRET)
    corpus, out = str(tmp_path / "corpus"), str(tmp_path / "questions.jsonl")
    publish_corpus(corpus, {"a.txt": TEXT}, with_embedder=True)
    answer = {"question": "Where does the heron stand?", "answer": "in shallow water"}
    with playing(says(json.dumps(answer))) as endpoint:
        chat = ChatOptions(base_url=endpoint.url, model="writer", output_price=10)
        found = generate_questions(corpus, out, GenerateOptions(per_document=1), chat)
    assert [question["question"] for question in found["questions"]] == ["Where does the heron stand?"]
    assert [question.id for question in read_questions(Path(out))] == [found["questions"][0]["id"]]
    with get_client(sync_client=True) as client:
        (run,) = [run for run in client.read_flow_runs() if run.parameters.get("out") == out]
        artifact = next(one for one in client.read_artifacts() if one.key == make_artifact_key("questions", corpus))
    assert (run.name, run.tags) == ("questions about corpus", ["corpus"])
    assert "Where does the heron stand" in str(artifact.data)
    assert "1 calls, 0.0002 dollars" in str(artifact.description)
    assert SECRET not in f"{run.model_dump_json()}{artifact.model_dump_json()}"


@pytest.mark.usefixtures("prefect_api")
def test_a_flow_whose_endpoint_fails_is_a_failed_run(tmp_path: Path) -> None:
    corpus = str(tmp_path / "corpus")
    publish_corpus(corpus, {"a.txt": TEXT}, with_embedder=True)
    with playing(fails(503)) as endpoint, pytest.raises(ServiceError, match=r"status 503 .*no question was made"):
        chat = ChatOptions(base_url=endpoint.url, model="writer", retry_seconds=())
        generate_questions(corpus, str(tmp_path / "questions.jsonl"), None, chat)
