"""The commands about candidates, and the names that they take."""

from pathlib import Path
from typing import Any

import pytest

import pagemill
from flows.cli import main as cli
from schemas.corpus import Corpus
from schemas.errors import CorpusError, InputError
from tasks.publish.io.candidates import place_candidate
from tasks.publish.io.switch import switch_to_candidate
from tasks.store import lance
from tests.flows.candidates.conftest import OTHER
from tests.flows.candidates.questions import questions_in

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", ["", "../x", ".hidden", "a/b", "ü", "x" * 65])
def test_a_candidate_needs_a_name_for_a_folder(home: Corpus, name: str) -> None:
    with pytest.raises(InputError, match="no name for a candidate"):
        place_candidate(home, name)


def test_candidates_need_a_published_corpus_and_stand_beside_no_other_candidate(home: Corpus, tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="holds no published corpus"):
        place_candidate(Corpus(str(tmp_path / "none")), "other")
    with pytest.raises(InputError, match="is itself a candidate"):
        place_candidate(home.candidate("other"), "third")
    with pytest.raises(CorpusError, match="has no candidate other, there are: none"):
        switch_to_candidate(home, "other")


def test_the_commands_say_what_they_do(
    source: Path, home: Corpus, other_embedder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    at = ["--corpus", str(home)]
    assert call("refresh", str(source), *at, "--candidate", "other", "--embedder", other_embedder) == 0
    assert call("evaluate", *at, "--questions", questions_in(tmp_path), "--candidate", "other") == 0
    said = capsys.readouterr().out
    assert "A: the corpus: run " in said and "B: candidate other: run " in said and "recall@5" in said
    assert call("candidates", *at) == 0 and "has the documents of the corpus" in capsys.readouterr().out
    assert call("switch", "other", *at) == 0
    assert capsys.readouterr().out.splitlines() == [
        "generation 2 is live: what was candidate other",
        f"from now on, refresh with embed.model = {other_embedder}",
        f"to go back: pagemill rollback 1 --corpus {home}",
    ]
    assert call("candidates", *at) == 0 and capsys.readouterr().out == "no candidates\n"
    assert lance.open_table(home, "chunks").schema.field("vector").type.list_size == OTHER


def call(*arguments: str) -> int:
    """Return the exit code of a command."""
    found: Any = cli.make_cli_application()(list(arguments), standalone_mode=False)
    return int(found or 0)


@pytest.mark.filterwarnings("default")
def test_the_old_name_of_the_option_is_still_taken_with_a_line_that_says_the_new_one(
    source: Path, home: Corpus, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(InputError, match="no name for a candidate"):
        call("refresh", str(source), "--corpus", str(home), "--beside", "..")
    assert "--beside is now --candidate" in capsys.readouterr().err
    with pytest.raises(InputError, match="no name for a candidate"), pytest.warns(DeprecationWarning, match="now candidate"):
        pagemill.refresh(source, str(home), beside="..")


def test_python_builds_a_candidate_too(
    source: Path, home: Corpus, other_embedder: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    outcome = pagemill.refresh(source, str(home), candidate="other", embed={"model": other_embedder})
    assert (outcome["outcome"], outcome["corpus"]) == ("published", str(home.candidate("other")))
    assert pagemill.open(str(home)).generation == 1
    with pytest.raises(InputError, match="no name for a candidate"):
        pagemill.refresh(source, str(home), candidate="..")
