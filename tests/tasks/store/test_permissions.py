"""What other users may read and write of a corpus."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from schemas.corpus import Corpus
from schemas.errors import CorpusError
from tasks.refresh.io.checks import make_corpus
from tasks.store import files, local, permissions
from tasks.store.locks import hold_lock


@pytest.fixture
def mask() -> Iterator[None]:
    """The umask of the test is given back."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def corpus_of(tmp_path: Path, bits: int) -> Corpus:
    folder = tmp_path / "corpus"
    folder.mkdir()
    folder.chmod(bits)
    return Corpus(str(folder))


@pytest.mark.usefixtures("mask")
@pytest.mark.parametrize(("bits", "of_file"), [(0o700, 0o600), (0o755, 0o644), (0o2770, 0o660), (0o2775, 0o664)])
def test_files_of_a_corpus_may_be_read_and_written_by_whom_its_folder_may(tmp_path: Path, bits: int, of_file: int) -> None:
    corpus = corpus_of(tmp_path, bits)
    files.write_atomically(corpus.plans / "main.arrow", b"")
    assert mode(corpus.plans / "main.arrow") == of_file
    with local.make_temporary_folder(corpus.private) as folder:
        assert mode(folder) == bits


@pytest.mark.usefixtures("mask")
def test_files_that_belong_to_no_corpus_are_this_users_alone(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    files.write_atomically(tmp_path / "key", b"")
    with local.make_temporary_folder(tmp_path) as folder:
        assert (mode(tmp_path / "key"), mode(folder)) == (0o600, 0o700)


@pytest.mark.usefixtures("mask")
def test_a_umask_that_withholds_files_from_the_group_of_a_shared_corpus_is_refused(tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path, 0o2770)
    refused = r"is shared with its group, but the umask 0022 .*: run `umask 0007` first"
    with pytest.raises(CorpusError, match=refused):
        make_corpus(corpus, private=False)
    assert list(corpus.folder.iterdir()) == [], "nothing that the group could not change"
    with pytest.raises(CorpusError, match=refused), hold_lock(corpus.lock("refresh"), 0, "a test"):
        pass
    os.umask(0o007)
    make_corpus(corpus, private=True)
    with hold_lock(corpus.lock("refresh"), 0, "a test"):
        assert (mode(corpus.private), mode(corpus.lock("refresh"))) == (0o2770, 0o660)


@pytest.mark.usefixtures("mask")
def test_a_folder_that_the_group_may_write_without_sharing_it_demands_no_umask(tmp_path: Path) -> None:
    make_corpus(corpus_of(tmp_path, 0o775), private=False)


def test_where_the_system_does_not_tell_the_umask_nothing_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(permissions, "STATUS", tmp_path / "missing")
    permissions.check_umask(corpus_of(tmp_path, 0o2770).folder)
