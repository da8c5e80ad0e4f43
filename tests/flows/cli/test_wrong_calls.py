"""Calls that cannot succeed end in an error that says what is wrong, before anything is written."""

import os
from pathlib import Path

import pytest

from flows.cli import main as cli
from flows.cli.corpus import print_hits
from schemas.corpus import Corpus
from schemas.errors import InputError, PagemillError
from tasks.search.io.ask import answer_question
from tasks.search.io.retrieve import open_searcher
from tests.endpoints import serving
from tests.tasks.small_corpus import publish_corpus

NO_UTF8 = "caf\udce9"
"""What Python makes of an argument in Latin-1."""


def call(*arguments: str | Path) -> None:
    cli.make_cli_application()([str(argument) for argument in arguments], standalone_mode=False)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "source"
    folder.mkdir()
    (folder / "a.txt").write_text("The heron waits by the weir.")
    return folder


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("published")
    publish_corpus(str(folder), {"a.txt": "The heron waits by the weir."})
    return folder


@pytest.mark.parametrize(
    "name",
    ["search x", "documents", "generations", "status", "rejects", "validations", "rollback 1", "purge x", "report", "serve"],
)
@pytest.mark.parametrize(("corpus", "message"), [("", "blank"), (" ", "blank"), (NO_UTF8, "not UTF-8")])
def test_a_corpus_without_a_proper_name_is_no_corpus(name: str, corpus: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        call(*name.split(), "--corpus", corpus)


@pytest.mark.parametrize("glob", ["!", "\\"])
def test_a_glob_that_means_nothing_is_named(source: Path, tmp_path: Path, glob: str) -> None:
    with pytest.raises(InputError, match="write globs as"):
        call("refresh", source, "--corpus", tmp_path / "c", "--include", glob)


def test_paths_and_options_that_are_not_utf8_are_refused_before_a_run(source: Path, tmp_path: Path) -> None:
    (tmp_path / NO_UTF8).mkdir()
    (tmp_path / "link").symlink_to(tmp_path / NO_UTF8)
    for odd in (tmp_path / NO_UTF8, tmp_path / "link"):
        with pytest.raises(InputError, match=r"path of source .* is not UTF-8"):
            call("refresh", odd, "--corpus", tmp_path / "c")
    with pytest.raises(InputError, match=r"path of corpus .* is not UTF-8"):
        call("refresh", source, "--corpus", tmp_path / NO_UTF8)
    with pytest.raises(InputError, match=r"options are wrong: .*UTF-8"):
        call("refresh", source, "--corpus", tmp_path / "c", "--exclude", NO_UTF8)


@pytest.mark.parametrize("name", ["repair", "verify", "backup {}/backups", "rollback 1", "purge a.txt --yes"])
def test_a_folder_that_is_no_corpus_stays_as_it_is(source: Path, tmp_path: Path, name: str) -> None:
    for folder in (source, tmp_path / "nowhere"):
        with pytest.raises(PagemillError, match="holds no published corpus"):
            call(*name.format(tmp_path).split(), "--corpus", folder)
    assert [path.name for path in sorted(tmp_path.rglob("*"))] == ["source", "a.txt"]


def test_a_home_that_the_shell_left_as_it_is_makes_no_folder_of_this_name(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="the shell did not replace"):
        call("refresh", source, "--corpus=~/corpus")
    assert not Path("~").exists()


def test_a_corpus_that_is_a_link_to_nowhere_is_refused(source: Path, tmp_path: Path) -> None:
    for name, target in (("loop", "loop"), ("dangling", "nowhere")):
        (tmp_path / name).symlink_to(target)
        with pytest.raises(InputError, match="symbolic link that leads nowhere"):
            call("refresh", source, "--corpus", tmp_path / name)


def test_links_in_a_circle_and_pipes_among_documents_stop_nobody(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (source / "loop.txt").symlink_to("loop.txt")
    os.mkfifo(source / "pipe.txt")
    with pytest.raises(PagemillError, match="2 of 3 documents failed"):
        call("parse", source, "--out", tmp_path / "out")
    told = capsys.readouterr().out
    assert "symbolic link leads nowhere" in told and "not a regular file" in told
    assert (tmp_path / "out/a.md").read_text() == "The heron waits by the weir.\n"


def test_a_question_in_another_encoding_is_no_fault_of_the_corpus(published: Path) -> None:
    for mode in ("fts", "hybrid"):
        with pytest.raises(InputError, match="question is not UTF-8"):
            call("search", NO_UTF8, "--corpus", published, "--mode", mode)


def test_as_many_results_as_nobody_has_are_all_there_are(published: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call("search", "heron", "--corpus", published, "--mode", "fts", "-k", str(10**20))
    assert capsys.readouterr().out.startswith("1. a.txt")


def test_what_nobody_sees_in_a_text_is_left_out_of_its_snippet(published: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = answer_question(open_searcher(Corpus(str(published))), "heron", mode="fts")
    hits = [hit.model_copy(update={"text": "Was\u00adser\u200bpumpe"}) for hit in found.hits]
    print_hits(found._replace(hits=hits))
    assert capsys.readouterr().out.endswith("   Wasserpumpe\n")


def test_a_question_that_nothing_answers_is_told_and_the_nearest_is_shown(
    published: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = answer_question(open_searcher(Corpus(str(published))), "heron", mode="fts")
    for answered, told in (
        (0.1, "nothing in the corpus seems to answer this (0.10 of 1)"),
        (0.9, "1. a.txt"),
        (None, "1. a.txt"),
    ):
        print_hits(found._replace(answered=answered))
        out = capsys.readouterr().out
        assert out.startswith(told) and "1. a.txt" in out


def test_options_that_have_no_effect_on_figures_are_refused(published: Path) -> None:
    with pytest.raises(InputError, match="leave out --mode"):
        call("search", "heron", "--corpus", published, "--figures", "--mode", "fts")


def test_what_went_amiss_while_a_document_was_cut_is_told(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with serving() as endpoint:
        endpoint.answer = "no list of numbers"
        call("chunk", source / "a.txt", "--strategy", "llm", "--set", f"chunk.endpoint={endpoint.url}")
    found = capsys.readouterr()
    assert '"text": "The heron waits by the weir."' in found.out
    assert "no list of numbers" in found.err
