"""Deliveries to a PostgreSQL of its own, with pgvector."""

from collections.abc import Iterator
from pathlib import Path

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
TEXTS = {"a.txt": "The heron waits.\nIt eats eels.", "b.txt": "A ledger.", "c.txt": "The mill stood still."}
PASSWORD = "delivered-1"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with postgres(PASSWORD) as found:
        yield found.replace("postgresql+asyncpg", "postgresql")


def test_generations_arrive_whole_and_a_delivery_that_fails_leaves_the_one_before(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nights = Nights(tmp_path / "corpus", TEXTS)
    options = DestinationOptions(to=address.replace(f":{PASSWORD}@", "@"))

    def read() -> dict[str, set[tuple[str, str]]]:
        with psycopg.connect(address) as connection:
            [(named,)] = connection.execute("SELECT generation FROM pagemill.delivered").fetchall()
            assert named in nights.generations
            queries = {name: f"SELECT document_id, text FROM pagemill.{name}" for name in ("documents", "chunks")}
            found = {name: connection.execute(query).fetchall() for name, query in queries.items()}
        assert all(len({*rows}) == len(rows) for rows in found.values())
        return {name: {*rows} for name, rows in found.items()}

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
