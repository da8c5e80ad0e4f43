"""Archives in an object store: each is fetched once, and only if it is new."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tasks.store import files
from tasks.store.bodies import make_process_folder
from tasks.store.objects import client
from tests.flows.conftest import Refresh
from tests.flows.corpora import computed, paths
from tests.tasks.parse.containers.packed import make_zip


def test_an_archive_in_a_store_is_fetched_once_for_each_change_and_its_copy_goes_with_the_run(
    plain: Refresh, bucket: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetched: Counter[str] = Counter()
    stream = client.stream_object

    def counted(place: str, key: str) -> Any:
        fetched[key.rpartition("/")[2]] += 1
        return stream(place, key)

    monkeypatch.setattr(client, "stream_object", counted)
    source = bucket / "source"
    box = [(f"{n}.txt", f"The mill turns {n} times.".encode()) for n in range(3)]
    for at, expected in ((3, 4), (2, 1)):
        files.write_atomically(source / "box.zip", make_zip([*box[:at], ("new.txt", f"The pump of {at} runs.".encode())]))
        files.write_atomically(source / "plain.txt", f"A plain text of {at}.".encode())
        fetched.clear()
        outcome = plain(source, bucket / "corpus", plan={"allow_removals": True})
        assert computed(outcome)["parse"] == expected + (at == 3) + (at == 2)
        assert fetched["box.zip"] == 1
    assert paths(bucket / "corpus") == {"plain.txt", "box.zip/0.txt", "box.zip/1.txt", "box.zip/new.txt"}
    fetched.clear()
    assert plain(source, bucket / "corpus")["outcome"] == "nothing changed" and not fetched["box.zip"]
    assert not list(make_process_folder().iterdir())
