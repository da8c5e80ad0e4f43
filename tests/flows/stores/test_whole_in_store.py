"""In an object store too: damage is found, repaired or refused, and backups go from folder to store and back."""

from pathlib import Path

import pytest

import pagemill
from flows.cli.upkeep.integrity import run_repair
from schemas.corpus import Corpus
from schemas.errors import CorpusError, DamageError
from tasks.publish.io.backups.backup import back_up_corpus
from tasks.publish.io.backups.restore import restore_backup
from tasks.publish.io.integrity.verify import verify_corpus
from tasks.store import files, published
from tasks.store.integrity.manifests import find_manifest
from tests.flows.conftest import Refresh
from tests.flows.corpora import digest

pytestmark = pytest.mark.slow


@pytest.fixture
def built(plain: Refresh, texts: Path, bucket: Path) -> Path:
    """A corpus of two generations in a bucket."""
    plain(texts, bucket / "corpus")
    (texts / "b.txt").write_text("The mill has stopped.")
    plain(texts, bucket / "corpus")
    return bucket / "corpus"


def file_of(corpus: Path, beginning: str) -> Path:
    """Return an object that the live generation needs."""
    place = Corpus(str(corpus))
    live = published.read_live_generation(place)
    manifest = find_manifest(place, live.generation, live.versions)
    assert manifest
    return corpus / next(path for path in sorted(manifest.files) if path.startswith(beginning))


def test_an_object_that_is_gone_or_was_written_again_is_found(built: Path, texts: Path) -> None:
    place, before = Corpus(str(built)), digest(built)
    assert verify_corpus(place, deep=True).findings == ()
    data = file_of(built, "chunks.lance/data")
    content = data.read_bytes()
    files.write_atomically(data, content[:-4] + b"rot!")
    assert verify_corpus(place).whole and not verify_corpus(place, deep=True).whole
    data.unlink()
    with pytest.raises(DamageError, match=r"chunks.lance/data/.* is gone: run pagemill repair"):
        pagemill.open(str(built))
    with pytest.raises(DamageError, match="rows of chunks are lost"):
        run_repair(place, None)
    run_repair(place, str(texts))
    assert digest(built) == before
    assert verify_corpus(place, deep=True).whole


def test_indexes_in_a_store_are_built_again(built: Path) -> None:
    file_of(built, "documents.lance/_indices").unlink()
    before = digest(built)
    run_repair(Corpus(str(built)), None)
    assert digest(built) == before
    assert verify_corpus(Corpus(str(built)), deep=True).whole


def test_backups_go_from_a_store_to_a_folder_and_back(built: Path, bucket: Path, tmp_path: Path) -> None:
    place, before = Corpus(str(built)), digest(built)
    assert back_up_corpus(place, str(tmp_path / "vault"), keep=3)["copied_files"] > 0
    assert back_up_corpus(place, str(tmp_path / "vault"), keep=3)["copied_files"] == 0
    restore_backup(str(tmp_path / "vault"), Corpus(str(tmp_path / "restored")))
    assert digest(tmp_path / "restored") == before
    vault = str(bucket / "vault")
    back_up_corpus(Corpus(str(tmp_path / "restored")), vault, keep=3)
    assert back_up_corpus(Corpus(str(tmp_path / "restored")), vault, keep=3)["copied_files"] == 0
    restore_backup(vault, Corpus(str(bucket / "again")))
    assert digest(bucket / "again") == before
    assert verify_corpus(Corpus(str(bucket / "again")), deep=True).findings == ()
    with pytest.raises(CorpusError, match=r"is damaged|is not as it was written|has lost"):
        file_of(tmp_path / "restored", "chunks.lance/data").unlink()
        back_up_corpus(Corpus(str(tmp_path / "restored")), vault, keep=3)
