import json
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from schemas.corpus import Corpus
from schemas.errors import StoreError
from schemas.media_types import PDF, START_BYTES
from schemas.options.sections import RefreshOptions
from tasks.refresh.io.facts import make_recipes
from tasks.refresh.io.refresh_memory import place_unchanged_listing, recall_unchanged
from tasks.refresh.io.source import kinds
from tasks.refresh.io.source.contents import recall_listing, remember_listing
from tasks.refresh.io.source.listing import Listing
from tasks.store import files
from tasks.store.sources.folder import FolderSource

PLAN = {"exclude": ["*.bak", "drafts/"]}


class Counted(FolderSource):
    """A folder that counts how often each file is read, and fails to read some."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.reads, self.broken = Counter[str](), dict[str, OSError]()

    def stream(self, path: str) -> Iterator[bytes]:
        self.reads[path] += 1
        if path in self.broken:
            raise self.broken[path]
        return super().stream(path)


def write(folder: Path, path: str, content: bytes, mtime: int = 1_700_000_000) -> None:
    """Write a file that is long unchanged."""
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_bytes(content)
    os.utime(folder / path, (mtime, mtime))


class Nights:
    """Listings of a folder one after the other, each of which knows the one before."""

    def __init__(self, folder: Path) -> None:
        self.source, self.corpus = Counted(folder / "source"), Corpus(str(folder / "corpus"))
        self.corpus.plans.mkdir(parents=True)

    def list_documents(self, **plan: object) -> tuple[dict[str, str], dict[str, int]]:
        """Return documents with why they are refused, and how often each file was read."""
        options = RefreshOptions.model_validate({"plan": {**PLAN, **plan}})
        self.source.reads.clear()
        self.listing = Listing(self.source, options, recall_listing(self.source, self.corpus, options))
        remember_listing(self.corpus, "main", self.listing)
        return {file.path: file.refused for file in self.listing.documents}, dict(self.source.reads)


@pytest.fixture
def nights(tmp_path: Path) -> Nights:
    for path, content in {
        "report": b"%PDF-1.7",
        "README": b"Read me.",
        "a.txt": b"x",
        "old.bak": b"%PDF-",
        "drafts/x": b"%PDF-",
    }.items():
        write(tmp_path / "source", path, content)
    return Nights(tmp_path)


def test_a_file_without_a_suffix_is_read_once_and_again_when_it_is_another(nights: Nights) -> None:
    assert nights.list_documents() == ({"a.txt": "", "report": ""}, {"README": 1, "report": 1})
    assert nights.listing.media_types[1] == PDF and nights.listing.skipped == ["README"]
    assert nights.list_documents() == ({"a.txt": "", "report": ""}, {})
    write(nights.source.place, "README", b"%PDF-1.7", mtime=1_700_000_001)
    write(nights.source.place, "news", b"News.")
    assert nights.list_documents() == ({"README": "", "a.txt": "", "report": ""}, {"README": 1, "news": 1})
    assert nights.list_documents() == ({"README": "", "a.txt": "", "report": ""}, {})
    assert nights.list_documents(verify=True)[1] == {"README": 1, "news": 1, "report": 1}
    assert nights.list_documents(formats=["pdf"]) == ({"README": "", "report": ""}, {})


def test_a_document_without_a_suffix_that_cannot_be_read_is_refused_and_does_not_count_as_removed(nights: Nights) -> None:
    nights.list_documents()
    for path in ("report", "README"):
        write(nights.source.place, path, b"another", mtime=1_700_000_002)
        nights.source.broken[path] = PermissionError(13, "Permission denied")
    refused = {"a.txt": "", "report": "it cannot be read (Permission denied)"}
    for _ in range(2):
        assert nights.list_documents() == (refused, {"README": 1, "report": 1})
    assert nights.listing.skipped == ["README (it cannot be read (Permission denied))"]
    nights.source.broken.clear()
    assert nights.list_documents()[0] == {"a.txt": ""}


def test_a_place_that_fails_while_kinds_are_told_ends_the_listing(nights: Nights) -> None:
    nights.source.broken["report"] = StoreError("the place does not answer: run this again")
    with pytest.raises(StoreError, match="does not answer"):
        nights.list_documents()


def test_kinds_that_another_version_told_are_told_again(nights: Nights, monkeypatch: pytest.MonkeyPatch) -> None:
    nights.list_documents()
    monkeypatch.setattr(kinds, "CONTAINERS_VERSION", "0")
    assert nights.list_documents()[1] == {"README": 1, "report": 1}


def test_the_start_of_a_file_is_read_and_no_more(tmp_path: Path) -> None:
    write(tmp_path, "long", b"x" * START_BYTES * 3)
    write(tmp_path, "short", b"xy")
    write(tmp_path, "empty", b"")
    source = FolderSource(tmp_path)
    assert [len(source.read_start(file)) for file in source.list_files(b"").files] == [0, START_BYTES, 2]


def test_a_source_is_not_taken_for_unchanged_before_its_kinds_are_remembered(nights: Nights) -> None:
    options, recipes = RefreshOptions.model_validate({"plan": PLAN}), make_recipes(RefreshOptions())
    files.write_atomically(nights.corpus.marker("clean"), b"1")
    for is_known in (False, True):
        nights.list_documents()
        said = {"fingerprint": nights.listing.fingerprint(options), "recipe": recipes.whole, "generation": 1, "counts": {}}
        said["listed_at_ns"] = nights.listing.listed_at_ns
        files.write_atomically(place_unchanged_listing(nights.corpus, "main"), json.dumps(said).encode())
        assert (recall_unchanged(nights.listing, nights.corpus, options, recipes) is not None) is is_known
