from pathlib import Path

import pytest

from schemas.errors import InputError
from tasks.experiment.grid import list_chunkers, name_chunker
from tasks.experiment.io.config import find_design_file, list_designs, read_experiment_config

GOOD = """
source: documents
questions: questions.jsonl
chunkers:
  - strategy: sentence
    size_tokens: [64, 128]
    overlap_share: [0, 0.2]
  - strategy: [recursive, token-window]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "documents").mkdir()
    (tmp_path / "questions.jsonl").write_text("{}\n")
    return tmp_path


def written(folder: Path, text: str) -> Path:
    path = folder / "grid.yaml"
    path.write_text(text)
    return path


def test_a_grid_is_all_combinations_and_paths_are_relative_to_the_file(folder: Path) -> None:
    options = read_experiment_config(written(folder, GOOD))
    assert list(map(name_chunker, list_chunkers(options))) == [
        "sentence 64",
        "sentence 64/12",
        "sentence 128",
        "sentence 128/25",
        "recursive 128",
        "token-window 128",
    ]
    assert options.source == str(folder / "documents")
    assert options.decisive_cutoff == 5


def test_one_message_names_every_problem_and_its_line(folder: Path) -> None:
    text = """source: nowhere
questions: questions.jsonl
chunkers:
  - {strategy: sentence, size_tokens: 128, overlap_tokens: [0, 128]}
  - strategy: sentences
  - strategy: recursive
    size_tokens: 512
embedders:
  - all-MiniLM-L6-v2
  - /no/model
ranking: [dense, both]
budget: [500]
"""
    with pytest.raises(InputError) as caught:
        read_experiment_config(written(folder, text))
    message = str(caught.value)
    assert "7 problems" in message
    assert "line 4, chunkers.1: strategy sentence, size_tokens 128, overlap_tokens 128: overlap_tokens is 128: " in message
    assert "line 5, chunkers.2: strategy sentences" in message
    assert "line 6, chunkers.3: size_tokens 512 is more than the 256 tokens that all-MiniLM-L6-v2 takes" in message
    assert "line 10, embedders.2: there is no embedder '/no/model'" in message
    assert "line 11, ranking.2: " in message and "got 'both'" in message
    assert "line 12, budget: Extra inputs are not permitted" in message
    assert f"line 1, source: {folder}/nowhere does not exist" in message


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("chunkers: [\n", "line 2: not YAML"),
        ("- 1\n", "holds no options"),
        ("", "holds no options"),
        (GOOD + "cutoffs: []\n", "line 9, cutoffs: Tuple should have at least 1 item"),
        (GOOD + "recommend: {cutoff: 7}\n", "recommend.cutoff is 7: choose one of 1, 3, 5, 10"),
        (GOOD.replace("questions: questions.jsonl", ""), "questions: Field required"),
        (GOOD.replace("0.2", "1.5"), "overlap_share must be a number from 0 to below 1"),
        (GOOD.replace("0.2]", "0.2]\n    overlap_tokens: 8"), "give overlap_tokens or overlap_share, not both"),
        (GOOD.replace("- strategy: sentence", "- strategy: sentence\n    size: 5"), "size: Extra inputs are not permitted"),
        (GOOD.replace("chunkers:", "chunkers: []\nother:"), "chunkers: Tuple should have at least 1 item"),
    ],
)
def test_what_is_wrong_is_said(folder: Path, text: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        read_experiment_config(written(folder, text))
    assert said in str(caught.value)


def test_places_from_the_command_line_come_first_and_are_named_as_flags(folder: Path) -> None:
    path = written(folder, GOOD)
    (folder / "others").mkdir()
    assert read_experiment_config(path, {"source": str(folder / "others"), "questions": None}).source == str(folder / "others")
    with pytest.raises(InputError, match=r"--source: /no/folder does not exist"):
        read_experiment_config(path, {"source": "/no/folder"})


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: No such file"):
        read_experiment_config(tmp_path / "none.yaml")


@pytest.mark.parametrize(("name", "n"), [("three-strategies", 3), ("fifteen-chunkers", 15), ("sizes-and-budgets", 60)])
def test_every_design_runs_on_documents_and_questions_of_the_user(folder: Path, name: str, n: int) -> None:
    places = {"source": str(folder / "documents"), "questions": str(folder / "questions.jsonl")}
    options = read_experiment_config(find_design_file(name), places)
    assert len(list_chunkers(options)) == n
    assert options.title == list_designs()[name] and "20" in options.cites
    assert options.judged is (name == "three-strategies")
    with pytest.raises(InputError, match=r"2 problems: line 1, source: Field required; line 1, questions: Field required"):
        read_experiment_config(find_design_file(name))


def test_an_unknown_design_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(InputError, match="choose one of fifteen-chunkers, sizes-and-budgets, three-strategies"):
        find_design_file("two")
