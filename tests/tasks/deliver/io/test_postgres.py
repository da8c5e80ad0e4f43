"""Deliveries to a PostgreSQL of its own, with pgvector."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from threading import Timer

import psycopg
import pytest

from benchmarks.server.postgres import postgres, programs
from schemas.errors import StoreError
from schemas.options.delivering import DestinationOptions
from tasks.deliver.io.deliver import Outcome, deliver_live_generation
from tests.tasks.deliver.nights import Nights, name_rows

PLACE = programs()
HAS_VECTORS = PLACE is not None and any((PLACE.parent / "lib").glob("vector.so"))
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not HAS_VECTORS, reason="pgvector is missing: apt-get install postgresql postgresql-<version>-pgvector"),
]
NIGHTS = int(os.environ.get("TEST_DELIVERIES", "4"))
TEXTS = {"a.txt": "The heron waits.\nIt eats eels.", "b.txt": "A ledger.", "c.txt": "The mill stood still."}
PASSWORD = "delivered-1"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with postgres(PASSWORD) as found:
        yield found.replace("postgresql+asyncpg", "postgresql")


def read_delivered(address: str, schema: str = "pagemill") -> tuple[int, dict[str, set[tuple[str, str]]]]:
    """Return the generation that the database names, and the rows of its tables."""
    with psycopg.connect(address) as connection:
        [(named,)] = connection.execute(f"SELECT generation FROM {schema}.delivered").fetchall()
        queries = {name: f"SELECT document_id, text FROM {schema}.{name}" for name in ("documents", "chunks")}
        found = {name: connection.execute(query).fetchall() for name, query in queries.items()}
    assert all(len({*rows}) == len(rows) for rows in found.values())
    return named, {name: {*rows} for name, rows in found.items()}


def test_generations_arrive_whole_and_a_delivery_that_fails_leaves_the_one_before(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nights = Nights(tmp_path / "corpus", TEXTS)
    options = DestinationOptions(to=address.replace(f":{PASSWORD}@", "@"))

    def read() -> dict[str, set[tuple[str, str]]]:
        named, rows = read_delivered(address)
        assert named in nights.generations
        return rows

    def deliver() -> Outcome:
        return deliver_live_generation(nights.corpus, "base", options)

    with pytest.raises(StoreError, match=r"it refuses this user") as refused:
        deliver()
    assert PASSWORD not in str(refused.value)
    monkeypatch.setenv("PAGEMILL_DESTINATION_PASSWORD_BASE", PASSWORD)
    assert deliver() == Outcome("base", 0, 1)
    assert read() == name_rows(nights.live)
    nights.change({"b.txt": "Another ledger.", "c.txt": None, "d.txt": "New."})
    with psycopg.connect(address) as connection:
        connection.execute("CREATE FUNCTION pagemill.fail() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''full''; END'")
        connection.execute("CREATE TRIGGER fails BEFORE INSERT ON pagemill.delivered EXECUTE FUNCTION pagemill.fail()")
    before = read()
    with pytest.raises(StoreError, match="full"):
        deliver()
    assert read() == before
    with psycopg.connect(address) as connection:
        connection.execute("DROP TRIGGER fails ON pagemill.delivered")
    assert deliver() == Outcome("base", 1, 2)
    assert read() == name_rows(nights.live)
    nights.purge("a.txt")
    nights.roll_back(1)
    assert deliver() == Outcome("base", 2, 4)
    assert read() == name_rows(nights.live)
    with psycopg.connect(address) as connection:
        nearest = "SELECT vector <=> %s::vector FROM pagemill.chunks ORDER BY 1 LIMIT 1"
        assert connection.execute(nearest, ["[1,0,0,0,0,0,0,0]"]).fetchone() == (0.0,)
        [indexes] = connection.execute("SELECT count(*) FROM pg_indexes WHERE indexdef LIKE '%hnsw%'").fetchone() or [0]
        assert indexes == 1


def test_a_connection_that_ends_at_any_moment_leaves_what_is_named(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    random, nights = Random(7), Nights(tmp_path / "corpus", TEXTS)
    options = DestinationOptions(to=address.replace(f":{PASSWORD}@", "@"), database_schema="killed")
    monkeypatch.setenv("PAGEMILL_DESTINATION_PASSWORD_BASE", PASSWORD)
    deliver_live_generation(nights.corpus, "base", options)
    kept, ended = {1: name_rows(nights.live)}, False
    for number in range(10 * NIGHTS):
        if number >= NIGHTS and ended:
            break
        nights.change({random.choice([*TEXTS]): f"Text {number}.\nAgain.", random.choice([*TEXTS]): None})
        kept[max(nights.generations)] = name_rows(nights.live)
        end = Timer(random.uniform(0, 0.06), end_other_connections, [address])
        end.start()
        with suppress(StoreError):
            deliver_live_generation(nights.corpus, "base", options)
        end.join()
        named, rows = read_delivered(address, "killed")
        assert rows == kept[named]
        ended |= named != max(nights.generations)
        if random.random() < 0.5:
            deliver_live_generation(nights.corpus, "base", options)
            assert read_delivered(address, "killed") == (max(nights.generations), name_rows(nights.live))
    assert ended, "no delivery was cut short"


def end_other_connections(address: str) -> None:
    with psycopg.connect(address) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND state IS NOT NULL"
        )
