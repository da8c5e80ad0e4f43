"""Refreshes from each kind of place end as those from a folder, and cost one listing and the bodies that changed."""

from collections import Counter
from pathlib import Path

import pytest

from schemas.errors import StoreError
from tests.flows.conftest import Refresh
from tests.flows.corpora import changes, digest, paths
from tests.flows.sources.conftest import IS_WHOLE
from tests.flows.sources.servers import PASSWORD, FolderBehind, Place

TEXTS = {"a.txt": "The heron stands. It waits.", "sub/b.txt": "The mill turns. It grinds.", "sub/deep/c.txt": "A pump runs."}
QUERY = {"query": "SELECT * FROM articles", "changed": "version"}
MANY = 10_000


def test_nights_at_a_place_end_as_those_at_a_folder_and_read_what_changed(place: Place, plain: Refresh, tmp_path: Path) -> None:
    folder, corpus = tmp_path / "folder", tmp_path / "corpus"

    def write(path: str, text: str) -> None:
        place.write(path, text)
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)

    def remove(path: str) -> None:
        place.remove(path)
        (folder / path).unlink()

    def refresh(**plan: bool) -> tuple[dict[str, int], Counter[str]]:
        place.take_requests()
        found = changes(plain(place.url, corpus, source=QUERY, plan={"allow_removals": True, **plan}))
        plain(folder, tmp_path / "twin", plan={"allow_removals": True})
        assert digest(corpus) == digest(tmp_path / "twin")
        asked = place.take_requests()
        assert max(asked.listings.values()) == 1
        return found, asked.bodies

    for path, text in TEXTS.items():
        write(path, text)
    assert refresh() == ({"added": 3}, dict.fromkeys(TEXTS, 1))
    assert refresh() == ({"unchanged": 3}, {})
    write("sub/b.txt", "The mill has stopped.")
    remove("a.txt")
    write("z/a.txt", TEXTS["a.txt"])
    assert refresh() == ({"changed": 1, "moved": 1, "unchanged": 1}, {"sub/b.txt": 1, "z/a.txt": 1})
    remove("sub/deep/c.txt")
    assert refresh() == ({"removed": 1, "unchanged": 2}, {})
    assert refresh(verify=True) == ({"unchanged": 2}, {"sub/b.txt": 1, "z/a.txt": 1})


@pytest.mark.parametrize("cut_after", (0, 2000, 6000) if IS_WHOLE else (2000,))
def test_a_listing_or_a_body_that_breaks_off_loses_nothing(
    server: FolderBehind, plain: Refresh, tmp_path: Path, cut_after: int
) -> None:
    corpus = tmp_path / "corpus"
    for path, text in TEXTS.items():
        server.write(path, text)
    plain(server.url, corpus)
    before = digest(corpus)
    for number in range(40):
        server.write(f"more/{number:03}-{'long-name-' * 12}.txt", f"A heron {number}. " * 50)
    server.wire.cut_after = cut_after
    with pytest.raises(StoreError, match=r"run this again|run again") as raised:
        plain(server.url, corpus)
    assert PASSWORD not in str(raised.value) and "\n" not in str(raised.value)
    assert digest(corpus) == before
    server.wire.cut_after = None
    plain(server.url, corpus)
    assert len(paths(corpus)) == len(TEXTS) + 40
    assert not any(PASSWORD.encode() in path.read_bytes() for path in corpus.rglob("*") if path.is_file())
