"""A corpus in a store, from a source in a store: the same refresh, the same rows, nothing left behind."""

import shutil
from pathlib import Path

import pytest

from schemas.corpus import Corpus
from schemas.errors import CorpusError, InputError
from tasks.publish.io.purge import purge_document
from tasks.publish.io.rollback import roll_back_corpus
from tasks.store import files, lance, published
from tasks.store.files import find_local_path
from tests.flows.conftest import Refresh
from tests.flows.corpora import STORIES, computed, digest, draw_source, paths, staged


def upload(folder: Path, place: Path) -> Path:
    """Copy the files of a folder to a store."""
    for path in folder.rglob("*"):
        if path.is_file():
            files.write_atomically(place / path.relative_to(folder).as_posix(), path.read_bytes())
    return place


@pytest.fixture
def stored(source: Path, bucket: Path) -> Path:
    """The small folder of documents, in a store."""
    return upload(source, bucket / "source")


@pytest.fixture
def there(bucket: Path) -> Path:
    """Where a corpus is to be made."""
    return bucket / "corpus"


def test_store_and_folder_give_the_same_rows_and_a_second_refresh_computes_nothing(
    plain: Refresh, source: Path, stored: Path, there: Path, corpus: Path
) -> None:
    outcome = plain(stored, there)
    assert outcome["counts"]["indexed"] == len(STORIES)
    plain(source, corpus)
    assert digest(there) == digest(corpus)
    assert plain(stored, there)["outcome"] == "nothing changed"
    files.write_atomically(stored / "notes.txt", b"The heron flew away in March.")
    assert computed(plain(stored, there)) == dict.fromkeys(("parse", "describe", "chunk", "embed"), 1)
    assert len(published.read_all_generations(Corpus(str(there)))) == 2


def test_what_is_no_document_in_a_store_is_left_out(plain: Refresh, bucket: Path, there: Path) -> None:
    source = bucket / "source"
    given = {"a.txt": "The mill turns.", ".git/b.txt": "hidden", "sub/.c.txt": "hidden", "sub": "", "empty": ""}
    for name, text in {**given, "sub/d.txt": "The pump runs.", "metadata.csv": "path,desk\na.txt,north\n"}.items():
        files.write_atomically(source / name, text.encode())
    plain(source, there)
    assert paths(there) == {"a.txt", "sub/d.txt"}
    with pytest.raises(InputError, match="is a corpus"):
        plain(there, bucket / "other")
    with pytest.raises(InputError, match="holds other files and is not a corpus"):
        plain(source, bucket / "source/sub")
    with pytest.raises(InputError, match="does not exist"):
        plain(bucket / "none", there)


def test_a_purged_document_is_gone_from_store_and_machine(plain: Refresh, texts: Path, there: Path) -> None:
    plain(texts, there)
    (texts / "b.txt").write_text("The mill has stopped.")
    plain(texts, there)
    secret = b"heron"
    assert any(secret in path.read_bytes() for path in everything(there))
    purge_document(Corpus(str(there)), "main", "a.txt", "run")
    assert paths(there) == {"b.txt", "c.txt"}
    assert not [str(path) for path in everything(there) if secret in path.read_bytes()]
    (texts / "a.txt").unlink()
    assert plain(texts, there)["outcome"] == "nothing changed"


def everything(place: Path) -> list[Path]:
    """Return all objects of a corpus, and the files that this machine keeps of it."""
    kept = [path for path in find_local_path(place).rglob("*") if path.is_file()]
    return [*place.rglob("*"), *kept]


def test_another_machine_goes_on_where_this_one_was(
    plain: Refresh, texts: Path, there: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    plain(texts, there)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "another"))
    (texts / "b.txt").write_text("The mill has stopped.")
    assert computed(plain(texts, there))["parse"] == 1
    shutil.copy(texts / "c.txt", texts / "d.txt")
    assert computed(plain(texts, there))["embed"] == 0
    assert roll_back_corpus(Corpus(str(there)), 1, "run") == 4
    with pytest.raises(CorpusError, match="--release"):
        plain(texts, there)


def test_a_run_that_was_killed_elsewhere_is_cleaned_up_by_the_next(plain: Refresh, texts: Path, there: Path) -> None:
    plain(texts, there)
    files.write_atomically(there / ".pagemill/runs/dead/plan.json", b"{}")
    lance.open_table(Corpus(str(there)), "chunks").delete("true")
    (texts / "b.txt").write_text("The mill has stopped.")
    plain(texts, there)
    assert not (there / ".pagemill/runs").exists()
    assert paths(there, "chunks") == {"a.txt", "b.txt", "c.txt"}
    assert len(staged(there, "embed")) == 4


def test_a_source_in_a_store_fills_a_corpus_in_a_folder(plain: Refresh, bucket: Path, corpus: Path, tmp_path: Path) -> None:
    draw_source(tmp_path / "drawn")
    plain(upload(tmp_path / "drawn", bucket), corpus)
    assert {"notes.txt", "sub/plan.md", "report.pdf"} <= paths(corpus)
