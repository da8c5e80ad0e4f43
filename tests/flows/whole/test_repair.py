"""Whatever is damaged ends in a working corpus, or in one line that says which command helps."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import pagemill
from flows.cli.upkeep.integrity import run_repair
from schemas.corpus import Corpus
from schemas.errors import CorpusError, DamageError
from tasks.publish.io.integrity.verify import verify_corpus
from tasks.publish.io.rollback import roll_back_corpus
from tasks.store import published
from tasks.store.packs import close_packs
from tests.flows.conftest import Refresh
from tests.flows.corpora import age, digest
from tests.flows.whole.test_verify import data_of, flip


@pytest.fixture
def built(plain: Refresh, texts: Path, tmp_path: Path) -> Path:
    """A corpus of two generations."""
    plain(texts, tmp_path / "built")
    (texts / "b.txt").write_text("The mill has stopped.")
    age(texts)
    plain(texts, tmp_path / "built")
    return tmp_path / "built"


def test_indexes_are_built_again(built: Path) -> None:
    before = digest(built)
    shutil.rmtree(built / "chunks.lance/_indices")
    [line, gone] = run_repair(Corpus(str(built)), None)
    assert line == "built the indexes of chunks again: generation 3 is live"
    assert gone == "generations that can no longer be restored: 1, 2"
    assert digest(built) == before
    assert published.read_live_generation(Corpus(str(built))).kind == "repair"
    assert verify_corpus(Corpus(str(built)), deep=True).whole


def test_lost_rows_are_computed_again_from_the_source_or_an_older_generation_is_offered(
    plain: Refresh, built: Path, texts: Path
) -> None:
    place, before = Corpus(str(built)), digest(built)
    newest = max((built / "chunks.lance/data").glob("*.lance"), key=lambda path: path.stat().st_mtime_ns)
    flip(newest)
    with pytest.raises(DamageError, match=r"rows of chunks are lost: give --source FOLDER .*, or .*: pagemill rollback 1"):
        run_repair(place, None)
    assert run_repair(place, str(texts))[0] == "computed again and published: generation 3"
    assert digest(built) == before
    assert verify_corpus(place, deep=True).whole
    assert newest.exists(), "what was damaged stays until clean-up"
    assert plain(texts, built)["outcome"] == "nothing changed"
    roll_back_corpus(place, 1, "run")
    assert verify_corpus(place, deep=True).whole


def test_a_source_that_has_changed_is_not_taken_for_what_was_lost(built: Path, texts: Path) -> None:
    flip(data_of(built, "chunks"))
    (texts / "a.txt").unlink()
    with pytest.raises(CorpusError, match=r"computed again .* --accept-differences; .* is as it was"):
        run_repair(Corpus(str(built)), str(texts))
    assert published.read_live_generation(Corpus(str(built))).generation == 2
    run_repair(Corpus(str(built)), str(texts), accept_differences=True)
    assert verify_corpus(Corpus(str(built)), deep=True).whole


def test_the_table_of_generations_is_written_again_from_the_manifests(built: Path) -> None:
    place, before = Corpus(str(built)), digest(built)
    rows = published.read_generation_rows(place)
    shutil.rmtree(built / "generations.lance")
    assert not verify_corpus(place).whole
    with pytest.raises(CorpusError, match="pagemill repair"):
        pagemill.open(str(built))
    assert run_repair(place, None)[0] == "wrote the table generations again from the manifests of 2 generations"
    assert (published.read_generation_rows(place), digest(built)) == (rows, before)


def _empty(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.mkdir()


@pytest.mark.parametrize("lose", [shutil.rmtree, _empty])
def test_a_corpus_without_its_private_folder_works_again(
    plain: Refresh, built: Path, texts: Path, lose: Callable[[Path], object]
) -> None:
    before = digest(built)
    lose(built / ".pagemill")
    if not (built / ".pagemill").exists():
        with pytest.raises(CorpusError, match=r"has lost its folder \.pagemill: run pagemill repair --corpus"):
            plain(texts, built)
        assert run_repair(Corpus(str(built)), None)
    assert plain(texts, built)["outcome"] == "nothing changed"
    (texts / "c.txt").write_text("The pump stands still.")
    assert plain(texts, built)["generation"] == 3
    assert digest(built) != before and verify_corpus(Corpus(str(built)), deep=True).whole


def test_a_generation_that_cannot_be_opened_says_which_command_helps(built: Path, texts: Path, plain: Refresh) -> None:
    for path in (built / "documents.lance/_versions").glob("*.manifest"):
        path.write_bytes(path.read_bytes()[:20])
    for attempt in (lambda: pagemill.open(str(built)), lambda: plain(texts, built)):
        with pytest.raises(CorpusError) as told:
            attempt()
        assert re.search("pagemill (repair|verify)", str(told.value)) and "\n" not in str(told.value)
    before = verify_corpus(Corpus(str(built)), deep=True)
    assert not before.whole
    run_repair(Corpus(str(built)), str(texts))
    assert verify_corpus(Corpus(str(built)), deep=True).whole


def test_a_damaged_staged_file_is_never_published(plain: Refresh, built: Path, texts: Path) -> None:
    close_packs()  # another process looks at what it reads
    flip(max((built / ".pagemill/staging/parse").rglob("*.arrow"), key=lambda path: path.stat().st_size))
    place = Corpus(str(built))
    with pytest.raises(DamageError, match=r"the staged file .* is damaged: run pagemill repair"):
        plain(texts, built, chunk={"size_tokens": 32}, publish={"rebuild": True})
    assert not verify_corpus(place, deep=True).whole
    assert run_repair(place, None)
    assert verify_corpus(place, deep=True).whole
