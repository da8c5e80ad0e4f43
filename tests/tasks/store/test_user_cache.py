from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tasks.store import user_cache


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "pagemill"


def test_what_is_remembered_is_recalled_beside_what_was_there() -> None:
    assert user_cache.recall_from_user_cache("a.json") == {}
    user_cache.remember_in_user_cache("a.json", "one", 1)
    user_cache.remember_in_user_cache("a.json", "two", [2])
    assert user_cache.recall_from_user_cache("a.json") == {"one": 1, "two": [2]}


@pytest.mark.parametrize("damaged", [b"", b"{", b"\xff\x00", b"[1]", b"null"])
def test_a_damaged_file_is_as_good_as_none(cache: Path, damaged: bytes) -> None:
    cache.mkdir(parents=True)
    (cache / "a.json").write_bytes(damaged)
    assert user_cache.recall_from_user_cache("a.json") == {}
    user_cache.remember_in_user_cache("a.json", "one", 1)
    assert user_cache.recall_from_user_cache("a.json") == {"one": 1}


def test_writers_at_once_leave_a_whole_file() -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: user_cache.remember_in_user_cache("a.json", str(n), n), range(40)))
    known = user_cache.recall_from_user_cache("a.json")
    assert known and all(known[name] == int(name) for name in known)


def test_a_folder_that_cannot_be_written_remembers_nothing(cache: Path) -> None:
    cache.parent.mkdir()
    cache.write_text("no folder")
    user_cache.remember_in_user_cache("a.json", "one", 1)
    assert user_cache.recall_from_user_cache("a.json") == {}
