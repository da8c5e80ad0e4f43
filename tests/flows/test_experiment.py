"""An experiment says what an evaluation of a corpus that is built in the same way says."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pymupdf
import pytest
from prefect.client.orchestration import get_client

from flows.cli import main as cli
from flows.cli.experiment import run_experiment
from flows.experiment import experiment
from schemas.corpus import Corpus
from schemas.errors import InputError
from schemas.options.experiment import ExperimentOptions
from schemas.options.search import Mode
from schemas.options.sections import EvaluateOptions
from tasks.evaluate.io import score
from tasks.evaluate.io.logs import score_and_log_evaluation
from tasks.search.io.retrieve import open_searcher
from tasks.store import published
from tests.flows.conftest import Refresh

MODES: dict[str, Mode] = {"dense": "dense", "lexical": "fts", "sum": "hybrid"}
QUESTIONS = [
    {
        "id": "1",
        "question": "When does it freeze?",
        "gold": [{"document": "notes.txt", "quote": "winter the river freezes"}],
    },
    {"id": "2", "question": "What is cleaned every month?", "gold": [{"document": "guide.md", "quote": "Clean the filter"}]},
    {"id": "3", "question": "How many gears?", "gold": [{"document": "sub/letter.txt", "quote": "three years and 412 gears"}]},
    {"id": "4", "question": "How much rain fell?", "gold": [{"document": "report.pdf", "page": 1}]},
    {"id": "5", "question": "Who built the mill?", "documents": ["history.txt"]},
]


@pytest.fixture
def questions(tmp_path: Path) -> str:
    path = tmp_path / "questions.jsonl"
    path.write_text("\n".join(map(json.dumps, QUESTIONS)))
    return str(path)


@pytest.fixture
def serverless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path / "prefect"))


def options_of(source: Path, questions: str, model: str, **given: Any) -> ExperimentOptions:
    always = {"source": str(source), "questions": questions, "embedders": [model], "bootstrap_samples": 100}
    return ExperimentOptions.model_validate({**always, **given})


def values(rows: Sequence[Mapping[str, Any]]) -> dict[tuple[str, int], float]:
    """Return the means over all questions by metric and cutoff."""
    whole = [row for row in rows if (row["split"], row["domain"]) == ("all", "all")]
    return {(row["metric"], row["cutoff"]): row["value"] for row in whole}


@pytest.mark.usefixtures("serverless")
def test_an_experiment_measures_what_an_evaluation_of_such_a_corpus_measures(
    source: Path, corpus: Path, questions: str, tiny_embedder: str, plain: Refresh, tmp_path: Path
) -> None:
    chunk = {"strategy": "parent-child", "size_tokens": 48, "parent_tokens": 96, "parent_strategy": "sentence"}
    plain(source, corpus, chunk=chunk)
    returned = ["chunks", "passages", "parents"]
    options = options_of(
        source, questions, tiny_embedder, chunkers=[chunk], ranking=list(MODES), returned=returned, cutoffs=[1, 3], budgets=[40]
    )
    found = run_experiment(options, Corpus(str(tmp_path / "out"))).recipes
    assert len(found) == 9
    for row in found:
        evaluated = json.loads(row["options"])["evaluate"]
        asked = EvaluateOptions(
            mode=MODES[evaluated["ranking"]], returned=evaluated["returned"], cutoffs=(1, 3), budgets=(40,), bootstrap_samples=100
        )
        evaluation = score.start_evaluation(row["run_id"], Corpus(str(corpus)), questions, asked)
        located = score.locate_gold(evaluation)
        logged = score_and_log_evaluation(evaluation, located)
        assert values(row["metrics"]) == pytest.approx(values(logged), abs=1e-6), row["name"]
        assert row["recipe"] == logged[0]["recipe"]


COMPANIES = ("Marlin", "Kestrel", "Lantern")
FILLING = "The company applies policy {0} in all of its segments, and {0} auditors agree every year. Then {0} clerks file it."
NAMING = [
    "What was the dividend of Marlin in FY2018?",
    "What does section 4.2 of the report of Kestrel in 2017 say?",
    "What is in Table 3 of Lantern 2018?",
    "What stands on page 3 of Weirs and Locks?",
    "What stands on page 3 of Weirs and Locks about lock keepers?",
    "What does page 2 say?",
    "Who opens the gates of the weir?",
]
"""Questions that name documents, sections, tables, and pages by their printed numbers."""


def draw_reports(folder: Path) -> None:
    """Draw reports that differ in names and figures, and a book whose file has not the name of its title; page 3 says 1."""
    folder.mkdir()
    for number, (company, year) in enumerate((company, year) for company in COMPANIES for year in (2017, 2018)):
        table = f"Table 3: Exports by year\n\n| Year | Tons |\n|---|---|\n| {year} | {number + 70} |"
        bodies = {
            "3 Risks": f"Risk {number} is the weather.",
            "4.1 Revenue": f"Revenue was {number} million.",
            "4.2 Dividends": f"Shareholders got {number + 2} thousand.",
            "5 Exports": f"{table}\n\nExports rose by {number} tons.",
        }
        sections = (
            f"## {heading}\n\n{body} {FILLING.format(10 * number + at)}" for at, (heading, body) in enumerate(bodies.items())
        )
        (folder / f"{company.upper()}_{year}.md").write_text("\n\n".join([f"# Annual report of {company}, {year}", *sections]))
    book = pymupdf.open()
    for page_number in range(1, 9):
        page = book.new_page(width=595, height=842)
        subject = ("lock keepers", "weirs", "gates", "sluices")[page_number % 4]
        page.insert_textbox(
            (60, 60, 535, 400),
            f"Chapter on {subject}. {FILLING.format(90 + page_number)} On day {page_number} the {subject} rest.",
        )
        page.insert_text((250, 815), f"Weirs and Locks | {page_number - 2}", fontsize=9)
    book.set_metadata({"title": "Weirs and Locks"})
    book.save(folder / "0001.pdf")


@pytest.mark.slow
@pytest.mark.usefixtures("serverless")
def test_an_experiment_and_a_corpus_rank_alike_whatever_questions_name(
    corpus: Path, tiny_embedder: str, plain: Refresh, tmp_path: Path
) -> None:
    source, asked = tmp_path / "reports", tmp_path / "naming.jsonl"
    draw_reports(source)
    rows = [{"id": str(n), "question": text, "documents": ["0001.pdf"]} for n, text in enumerate(NAMING)]
    asked.write_text("\n".join(map(json.dumps, rows)))
    chunk = {"strategy": "parent-child", "size_tokens": 64, "parent_tokens": 110, "parent_strategy": "sentence"}
    plain(source, corpus, chunk=chunk)
    returned = ["chunks", "passages", "parents"]
    options = options_of(
        source, str(asked), tiny_embedder, chunkers=[chunk], ranking=list(MODES), returned=returned, cutoffs=[1, 5]
    )
    out = Corpus(str(tmp_path / "out"))
    recipes = run_experiment(options, out).recipes
    retrieved: dict[Any, list[Any]] = {}
    for row in published.read_log(out, "retrieved").sort_by("rank").to_pylist():
        found = retrieved.setdefault((row["run_id"], row["cutoff"], int(row["question_id"])), [])
        found.append((row["path"], row["start_char"], row["end_char"], row["pages"], pytest.approx(row["score"], abs=1e-5)))
    searcher = open_searcher(Corpus(str(corpus)))
    assert len(recipes) == 9
    for row in recipes:
        how = json.loads(row["options"])["evaluate"]
        expected = searcher.search_ranked(NAMING, (1, 5), MODES[how["ranking"]], returned=how["returned"]).results
        for k, results in expected.items():
            for n, hits in enumerate(results):
                shown = [(hit.path, hit.start_char, hit.end_char, list(hit.pages), hit.score) for hit in hits]
                assert shown == retrieved[row["run_id"], k, n], (row["name"], k, NAMING[n])
    best = searcher.search_ranked(NAMING, (1,), "hybrid", returned="chunks").results[1]
    assert [hits[0].path for hits in best[:5]] == ["MARLIN_2018.md", "KESTREL_2017.md", "LANTERN_2018.md", "0001.pdf", "0001.pdf"]
    assert [best[n][0].section[-1] for n in (1, 2)] == ["4.2 Dividends", "5 Exports"]
    assert best[3][0].pages in ([3], [5])


def test_the_flow_has_a_task_for_each_chunker_and_embedder(
    texts: Path, tmp_path: Path, tiny_embedder: str, prefect_api: str
) -> None:
    asked = tmp_path / "questions.jsonl"
    asked.write_text(json.dumps({"id": "1", "question": "Who waits?", "gold": [{"document": "a.txt", "quote": "It waits"}]}))
    chunkers = [{"strategy": ["sentence", "recursive"], "size_tokens": 64}]
    options = options_of(texts, str(asked), tiny_embedder, chunkers=chunkers, cutoffs=[1])
    rows, advice = experiment(options, str(tmp_path / "out"), True)
    assert len(rows) == 2 and advice[-1].startswith("written: ")
    with get_client(sync_client=True) as client:
        names = {run.name for run in client.read_task_runs()}
        artifacts = {artifact.key: str(artifact.data) for artifact in client.read_artifacts()}
    assert {"measure sentence 64", "measure recursive 64"} <= names
    assert any("recursive 64, sum, passages" in data for key, data in artifacts.items() if key and "experiment" in key)


@pytest.mark.usefixtures("serverless")
def test_the_command_prints_a_line_for_each_configuration(
    texts: Path, tmp_path: Path, tiny_embedder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "questions.jsonl").write_text(json.dumps({"id": "1", "question": "Who waits?", "documents": ["a.txt"]}))
    config = tmp_path / "grid.yaml"
    config.write_text(
        f"source: {texts}\nquestions: questions.jsonl\nchunkers: [{{strategy: [sentence, recursive], size_tokens: 64}}]\n"
        f"embedders: [{tiny_embedder}]\ncutoffs: [1]\nbootstrap_samples: 100\n"
    )
    call = ["experiment", str(config), "--out", str(tmp_path / "out")]
    cli.make_cli_application()(call, standalone_mode=False)
    shown = capsys.readouterr()
    assert "sentence 64, sum, passages" in shown.out and "recall@1" in shown.out
    assert "2 of 2: recursive 64" in shown.err
    cli.make_cli_application()([*call, "--json"], standalone_mode=False)
    again = capsys.readouterr()
    assert again.err == ""
    names = [row["name"] for row in json.loads(again.out)["recipes"]]
    assert names == [
        "sentence 64, sum, passages",
        "recursive 64, sum, passages",
    ]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ([], "name a configuration, or a design with --design"),
        (["grid.yaml", "--design", "three-strategies"], "name a configuration, or a design with --design"),
        (["grid.yaml"], "--out is missing"),
        (["grid.yaml", "--out", " "], "--out is missing"),
        (["grid.yaml", "--out", "out"], "grid.yaml cannot be read"),
    ],
)
def test_a_call_that_cannot_succeed_says_why(call: list[str], said: str) -> None:
    with pytest.raises(InputError, match=said):
        cli.make_cli_application()(["experiment", *call], standalone_mode=False)


def test_the_designs_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    cli.make_cli_application()(["experiment", "--list"], standalone_mode=False)
    assert "fifteen-chunkers" in capsys.readouterr().out
