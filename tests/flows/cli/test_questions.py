import json
from pathlib import Path
from typing import Any

import pytest
import typer

from flows.cli import main as cli
from schemas.errors import InputError
from tests.chat_endpoint import playing, says
from tests.flows.corpora import draw_source
from tests.tasks.small_corpus import publish_corpus

GOOD = {"id": "1", "question": "Where is the heron?", "gold": [{"document": "a.txt", "quote": "by the weir"}]}
BAD = {"id": "2", "question": "Where is the crane?", "gold": [{"document": "a.txt", "quote": "on the roof"}]}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    publish_corpus(str(folder), {"a.txt": "The heron waits by the weir."}, with_embedder=True)
    return folder


def call(*arguments: str | Path) -> int:
    """Return the exit code."""
    found: Any = cli.make_cli_application()([str(argument) for argument in arguments], standalone_mode=False)
    return int(found or 0)


def written(folder: Path, *questions: dict[str, Any]) -> Path:
    path = folder / "asked.jsonl"
    path.write_text("\n".join(map(json.dumps, questions)))
    return path


def test_an_import_says_what_it_kept_and_what_it_refused(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = written(tmp_path, GOOD, BAD), tmp_path / "questions.jsonl"
    assert call("questions", "import", source, "--corpus", corpus, "--out", out) == 0
    said = capsys.readouterr()
    assert said.out.splitlines() == [
        f"{out}: 1 questions (imported: json lines: 1)",
        f"{tmp_path}/questions.refused.jsonl: 1 reasons why others were refused",
    ]
    assert said.err == f"pagemill: {source}:2: question 2: a.txt: the quote does not occur in the text: 'on the roof'\n"
    assert json.loads((tmp_path / "questions.refused.jsonl").read_text())["question_id"] == "2"
    assert call("questions", "import", source, "--corpus", corpus, "--out", out, "--json") == 0
    assert json.loads(capsys.readouterr().out)["refused"] == 1


def test_an_import_that_keeps_nothing_fails_and_leaves_the_reasons(corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no question of .* can be used .* see .*questions\.refused\.jsonl"):
        call("questions", "import", written(tmp_path, BAD), "--corpus", corpus, "--out", tmp_path / "questions.jsonl")
    assert (tmp_path / "questions.refused.jsonl").is_file()


def test_a_check_fails_if_any_question_would_not_be_scored(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("questions", "check", written(tmp_path, GOOD), "--corpus", corpus) == 0
    assert capsys.readouterr().out == "1 of 1 questions would be scored (spans: 1)\n"
    path = written(tmp_path, GOOD, BAD, {"id": "3", "question": "What?"})
    assert call("questions", "check", path, "--corpus", corpus, "--json") == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["scored"], found["refused"], found["gold"]) == (1, 2, {"spans": 1})
    assert [problem["place"] for problem in found["problems"]] == [f"{path}:2", f"{path}:3"]


def test_the_commands_on_questions_explain_themselves(capsys: pytest.CaptureFixture[str]) -> None:
    group = typer.main.get_command(cli.make_cli_application()).commands["questions"]  # type: ignore[attr-defined]
    for name, command in group.commands.items():
        call("questions", name, "-h")
        assert command.help.split(".")[0].split()[0] in capsys.readouterr().out


def test_questions_are_generated_without_a_model_and_can_be_scored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path / "prefect"))
    corpus, out = tmp_path / "corpus", tmp_path / "questions.jsonl"
    draw_source(tmp_path / "source")
    call("refresh", tmp_path / "source", "--corpus", corpus)
    capsys.readouterr()
    assert call("questions", "generate", "--corpus", corpus, "--out", out, "--per-document", "2", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    questions = [json.loads(line) for line in out.read_text().splitlines()]
    assert told["questions"] == len(questions) >= 4
    assert told["origins"].keys() <= {f"generated: {kind}" for kind in ("heading", "table cell", "cloze", "caption")}
    asked = {question["question"] for question in questions}
    assert "What is the value of “May” for “work” in the table “Plan”?" in asked
    assert call("questions", "check", out, "--corpus", corpus) == 0
    written, again = out.read_bytes(), tmp_path / "again.jsonl"
    assert call("questions", "generate", "--corpus", corpus, "--out", again, "--per-document", "2") == 0
    assert again.read_bytes() == written


def test_a_model_is_asked_within_the_cap_and_the_cost_is_told(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path / "prefect"))
    answer = {"question": "Where does the heron wait?", "answer": "by the weir"}
    out = tmp_path / "questions.jsonl"
    with playing(says(json.dumps(answer))) as endpoint:
        asked = ("questions", "generate", "--corpus", corpus, "--out", out, "--base-url", endpoint.url, "--model", "writer")
        assert call(*asked, "--input-price", "1", "--output-price", "10", "--max-cost", "1") == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{out}: 1 questions (generated: model writer: 1)",
        "1 calls (100 tokens in, 20 out) for $0.0003; 0 answers were kept from before",
    ]
    with pytest.raises(InputError, match="max_cost needs prices"):
        call(*asked, "--max-cost", "1")
    with pytest.raises(InputError, match="model is blank"):
        call(*asked[:-2])
