"""Planning from a real folder: what is read again, what is refused, what a source without documents is told."""

import json
import os
import stat
import time
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from schemas.corpus import Corpus
from schemas.errors import CorpusError, InputError
from schemas.options.sections import PlanOptions, RefreshOptions
from tasks.refresh.io.checks import check_corpus, make_corpus
from tasks.refresh.io.facts import make_recipes
from tasks.refresh.io.job import open_job
from tasks.refresh.io.refresh_memory import place_unchanged_listing, recall_unchanged
from tasks.refresh.io.source import contents
from tasks.refresh.io.source.contents import read_contents
from tasks.refresh.io.source.listing import Listing
from tasks.refresh.planning import RACY_NS, are_trusted, check_plan, make_plan
from tasks.store import files
from tasks.store.sources.folder import FolderSource

SECOND = 1_000_000_000
HOUR = 3600 * SECOND
times = st.integers(0, 40 * SECOND)


def is_trusted(mtime_ns: int, read_at_ns: int, now_ns: int) -> bool:
    """What `are_trusted` says, for one file and with plain numbers."""
    if now_ns < read_at_ns:
        return False
    return mtime_ns < read_at_ns - RACY_NS or mtime_ns > now_ns + RACY_NS


@given(read_at=times, now=times, edited_at=times, seen=times, tick=st.sampled_from([1, SECOND, RACY_NS]))
def test_no_edit_is_overlooked_whatever_times_files_have(read_at: int, now: int, edited_at: int, seen: int, tick: int) -> None:
    written_as = edited_at // tick * tick
    if read_at <= edited_at <= now and is_trusted(seen, read_at, now):
        assert written_as != seen


@given(st.lists(st.tuples(times, times)), times)
def test_files_are_trusted_together_as_they_are_one_by_one(files: list[tuple[int, int]], now: int) -> None:
    mtimes, read_at = (pa.array(column, pa.int64()) for column in (zip(*files, strict=True) if files else ([], [])))
    assert are_trusted(mtimes, read_at, now).to_pylist() == [is_trusted(*file, now) for file in files]
    assert are_trusted(mtimes, HOUR, now).to_pylist() == [is_trusted(mtime, HOUR, now) for mtime, _ in files]


@given(mtime=times, read_at=times, now=times)
def test_a_clock_that_was_set_back_proves_nothing_and_old_files_are_trusted_for_good(mtime: int, read_at: int, now: int) -> None:
    if now < read_at:
        assert not is_trusted(mtime, read_at, now)
    elif mtime < read_at - RACY_NS:
        assert is_trusted(mtime, read_at, now)


class Source:
    """A source with one document, planned at chosen times; `reads` counts how often a file was read."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.corpus, self.reads = folder / "source", folder / "corpus", 0
        self.folder.mkdir()
        self.patch, digest = monkeypatch, FolderSource.digest_file

        def counted(source: FolderSource, path: str) -> str:
            self.reads += 1
            return digest(source, path)

        monkeypatch.setattr(FolderSource, "digest_file", counted)

    def write(self, mtime_ns: int, text: str = "The heron waits.") -> None:
        """Write the document, with a time."""
        (self.folder / "a.txt").write_text(text)
        os.utime(self.folder / "a.txt", ns=(mtime_ns, mtime_ns))

    def plan_at(self, now_ns: int) -> Listing:
        """List and read the source at a time of the clock."""
        self.patch.setattr(time, "time_ns", lambda: now_ns)
        listing = Listing(FolderSource(self.folder), RefreshOptions())
        read_contents(listing, Corpus(str(self.corpus)), RefreshOptions(), remember=True)
        return listing


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Source:
    return Source(tmp_path, monkeypatch)


def test_a_file_whose_time_lies_ahead_is_read_once_now_and_once_when_its_time_has_come(source: Source) -> None:
    now = time.time_ns()
    source.write(now + HOUR)
    for at, reads in ((now, 1), (now + SECOND, 1), (now + HOUR // 2, 1), (now + HOUR, 2), (now + HOUR + 3 * SECOND, 3)):
        listing = source.plan_at(at)
        assert source.reads == reads
    assert listing.is_stable
    source.plan_at(now + 9 * HOUR)
    assert source.reads == 3


def test_a_clock_that_was_set_back_has_every_file_read_again_once(source: Source) -> None:
    now = time.time_ns()
    source.write(now - 3 * HOUR)
    for at, reads in ((now, 1), (now + SECOND, 1), (now - HOUR, 2), (now - HOUR + SECOND, 2), (now + SECOND, 2)):
        source.plan_at(at)
        assert source.reads == reads


def test_a_listing_is_settled_unless_a_file_may_still_be_written(source: Source) -> None:
    now = time.time_ns()
    for mtime, settled in ((now - HOUR, True), (now - SECOND, False), (now + SECOND, False), (now + HOUR, True)):
        source.write(mtime)
        listing = source.plan_at(now)
        assert listing.is_stable is settled
        assert not listing.trusts(now + 2 * HOUR), "remembered at a time that has not come yet"


def test_a_memory_that_is_damaged_or_another_pagemills_is_forgotten(source: Source) -> None:
    source.write(1)
    memory = contents.place_hashes(Corpus(str(source.corpus)), "main")
    source.plan_at(time.time_ns())
    for damaged in (b"", memory.read_bytes()[:100]):
        memory.write_bytes(damaged)
        assert contents.recall_hashes(Corpus(str(source.corpus)), "main").num_rows == 0
    source.plan_at(time.time_ns())
    table = files.read_table(memory)
    files.write_table_atomically(memory, table.drop_columns(["read_at_ns"]))
    assert contents.recall_hashes(Corpus(str(source.corpus)), "main").num_rows == 0


def test_what_is_remembered_of_a_listing_may_be_damaged(source: Source) -> None:
    options, recipes = RefreshOptions(), make_recipes(RefreshOptions())
    source.write(1)
    listing = source.plan_at(time.time_ns())
    record = {"fingerprint": listing.fingerprint(options), "recipe": recipes.whole, "generation": 1, "counts": {}}
    memory = place_unchanged_listing(Corpus(str(source.corpus)), "main")
    files.write_atomically(Corpus(str(source.corpus)).marker("clean"), b"1")
    for said, known in ((record | {"listed_at_ns": listing.listed_at_ns}, True), (record, False)):
        files.write_atomically(memory, json.dumps(said).encode())
        assert (recall_unchanged(listing, Corpus(str(source.corpus)), options, recipes) is not None) is known
    files.write_atomically(memory, memory.read_bytes()[:-9])
    assert recall_unchanged(listing, Corpus(str(source.corpus)), options, recipes) is None


def refused(source: Path, *exclude: str) -> str:
    options = RefreshOptions.model_validate({"plan": {"exclude": exclude}})
    listing = Listing(FolderSource(source), options)
    plan = make_plan([], {}, "recipe", options.plan, "")._replace(why_empty=listing.why_empty)
    with pytest.raises(InputError, match="--allow-empty") as raised:
        check_plan(plan, options.plan)
    return str(raised.value)


def test_a_source_without_documents_is_told_what_it_holds_instead(tmp_path: Path) -> None:
    assert "the source holds no documents:" in refused(tmp_path)
    for name in ("a.exe", "b.EXE", "sub/c.exe", "d.7z", "README"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    (tmp_path / "link").symlink_to(tmp_path / "sub")
    assert (
        "no documents that Pagemill reads: 3 .exe, 1 .7z, 1 without a suffix, 1 symbolic link to a folder; it reads .bmp,"
        in refused(tmp_path).replace("1 without a suffix, 1 .7z", "1 .7z, 1 without a suffix")
    )
    assert "the source holds 6 files, but the globs or formats exclude all of them" in refused(tmp_path, "**")


def test_a_link_to_a_folder_is_named_as_one_among_what_is_skipped(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "reports").symlink_to(tmp_path / "deep")
    assert Listing(FolderSource(tmp_path), RefreshOptions()).skipped == ["reports (a symbolic link to a folder)"]


def test_source_and_corpus_do_not_lie_in_each_other_unnoticed(tmp_path: Path) -> None:
    documents = tmp_path / "documents"
    documents.mkdir()
    (documents / "a.txt").write_text("x")
    make_corpus(Corpus(str(documents / "corpus")), private=True)
    (documents / "corpus/b.txt").write_text("no document")
    check_corpus(Corpus(str(documents / "corpus")), str(documents))
    assert [file.path for file in Listing(FolderSource(documents), RefreshOptions()).documents] == ["a.txt"]
    with pytest.raises(InputError, match="both source and corpus"):
        check_corpus(Corpus(f"{documents}/"), str(documents))
    (tmp_path / "link").symlink_to(documents / "corpus")
    (documents / "corpus/inner").mkdir()
    for corpus in (documents / "corpus", tmp_path / "link"):
        with pytest.raises(InputError, match="lies in the corpus"):
            check_corpus(Corpus(str(corpus)), str(documents / "corpus/inner"))
    with pytest.raises(InputError, match="is a corpus: name the folder of its documents"):
        Listing(FolderSource(documents / "corpus"), RefreshOptions())


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_folder_of_a_new_corpus_is_private_unless_an_option_says_otherwise(tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    (tmp_path / "source/a.txt").write_text("The heron waits.")
    with open_job(str(tmp_path / "source"), Corpus(str(tmp_path / "new/corpus")), RefreshOptions()):
        assert mode_of(tmp_path / "new/corpus") == mode_of(tmp_path / "new/corpus/.pagemill") == 0o700
        assert mode_of(tmp_path / "new") != 0o700, "only what is Pagemill's own is private"
    shared = RefreshOptions.model_validate({"publish": {"private": False}})
    with open_job(str(tmp_path / "source"), Corpus(str(tmp_path / "shared")), shared):
        assert mode_of(tmp_path / "shared") == mode_of(tmp_path / "new")


def test_a_corpus_folder_that_is_there_keeps_its_mode(tmp_path: Path) -> None:
    (tmp_path / "corpus").mkdir(mode=0o750)
    make_corpus(Corpus(str(tmp_path / "corpus")), private=True)
    assert (mode_of(tmp_path / "corpus"), mode_of(tmp_path / "corpus/.pagemill")) == (0o750, 0o700)


def test_a_corpus_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(CorpusError, match=r"corpus .*/file/corpus cannot be created: "):
        make_corpus(Corpus(str(tmp_path / "file/corpus")), private=True)


def test_a_large_file_has_the_digest_of_its_bytes_and_one_that_cannot_be_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "source"
    source.mkdir()
    for name in ("a.txt", "b.txt"):
        (source / name).write_bytes(name.encode() * FolderSource.large_bytes)
    real = FolderSource.digest_file

    def unreadable(source: FolderSource, path: str) -> str:
        if path == "b.txt":
            raise PermissionError(13, "Permission denied", path)
        return real(source, path)

    monkeypatch.setattr(FolderSource, "digest_file", unreadable)
    listing = Listing(FolderSource(source), RefreshOptions())
    found, refused = read_contents(listing, Corpus(str(tmp_path / "corpus")), RefreshOptions(), remember=False)
    assert found["path"].to_pylist() == ["a.txt", "b.txt"]
    assert found["sha256"].to_pylist() == [files.compute_sha256(source / "a.txt"), None]
    assert refused == {1: "it cannot be read (Permission denied)"}


def listed(source: Path, *formats: str) -> list[str]:
    options = RefreshOptions(plan=PlanOptions(formats=formats))
    return sorted(file.path for file in Listing(FolderSource(source.resolve()), options).documents)


def test_formats_are_chosen_and_left_out_by_a_suffix_of_theirs(tmp_path: Path) -> None:
    for name in ("a.pdf", "b.JPEG", "c.md", "d.zip"):
        (tmp_path / name).write_text("x")
    assert listed(tmp_path) == ["a.pdf", "b.JPEG", "c.md", "d.zip"]
    assert listed(tmp_path, "pdf", "md") == ["a.pdf", "c.md", "d.zip"]
    assert listed(tmp_path, "-jpg", "-zip") == ["a.pdf", "c.md"]
    with pytest.raises(ValidationError, match="'exe' is no format"):
        PlanOptions(formats=("exe",))


def test_what_a_browser_saved_beside_a_page_is_no_document_of_its_own(tmp_path: Path) -> None:
    for name in ("news.html", "news_files/logo.png", "news_files/site.js", "other_files/plan.png"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    assert listed(tmp_path) == ["news.html", "other_files/plan.png"]


def test_a_file_without_a_suffix_is_a_document_if_its_first_bytes_name_a_format(tmp_path: Path) -> None:
    starts = {
        "report": b"%PDF-1.7",
        "paper 1706.03762": b"%PDF-1.4",
        "page": b"<!DOCTYPE html><p>x",
        "README": b"Read me",
        "half.part": b"%PDF-",
    }
    for name, start in starts.items():
        (tmp_path / name).write_bytes(start)
    assert listed(tmp_path) == ["page", "paper 1706.03762", "report"]
    assert listed(tmp_path, "-html") == ["paper 1706.03762", "report"]
