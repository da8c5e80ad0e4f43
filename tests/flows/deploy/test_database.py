"""A damaged database of the Prefect server is one line with the remedy."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from flows.deploy.database import check_database


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database of some pages."""
    with closing(sqlite3.connect(tmp_path / "prefect.db")) as made:
        made.execute("CREATE TABLE runs (id INTEGER PRIMARY KEY, name TEXT)")
        made.execute("CREATE INDEX names ON runs (name)")
        made.executemany("INSERT INTO runs (name) VALUES (?)", [(f"run {n} " * 20,) for n in range(2000)])
        made.commit()
    return tmp_path / "prefect.db"


@pytest.mark.parametrize("at", [0, 3, 20])
def test_a_damaged_database_is_told_in_one_line(database: Path, at: int) -> None:
    content = bytearray(database.read_bytes())
    content[at * 4096 : at * 4096 + 8192] = b"rot " * 2048
    database.write_bytes(content)
    with pytest.raises(SystemExit) as told:
        check_database(f"sqlite+aiosqlite:///{database}")
    said = str(told.value)
    assert "\n" not in said and str(database) in said and "move it away" in said


def test_a_whole_database_one_that_is_not_there_and_one_in_memory_are_let_through(database: Path, tmp_path: Path) -> None:
    for url in (f"sqlite+aiosqlite:///{database}", f"sqlite+aiosqlite:///{tmp_path}/new.db", "sqlite+aiosqlite:///:memory:"):
        check_database(url)
