"""Deliveries to a PostgreSQL of its own, with pgvector."""

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from threading import Lock
from urllib.parse import urlsplit

import psycopg
import pytest

from benchmarks.server.postgres import postgres, programs
from schemas.errors import StoreError
from schemas.options.delivering import DestinationOptions
from tasks.deliver.io.deliver import Outcome, deliver_live_generation
from tests.flows.sources.wire import Wire
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
        address = found.replace("postgresql+asyncpg", "postgresql")
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET fsync = off")  # programs are killed here, not the machine
            connection.execute("SELECT pg_reload_conf()")
        yield address


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


def test_a_process_a_connection_or_a_server_that_ends_at_any_write_leaves_what_is_named(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    random, nights, wire = Random(7), Nights(tmp_path / "corpus", TEXTS), Wire(urlsplit(address).port or 0)
    to = f"postgresql://prefect@127.0.0.1:{wire.port}/prefect"
    options = DestinationOptions(to=to, database_schema="killed")
    monkeypatch.setenv("PAGEMILL_DESTINATION_PASSWORD_BASE", PASSWORD)
    ends: dict[str, Callable[[], bool]]
    ends = {"process": lambda: False, "connection": partial(end_connections, address), "server": partial(restart_server, address)}
    n_cut, ending = 0, Lock()

    def stop(end: str) -> bool:
        with ending:
            return ends[end]()

    def deliver(last: int = -1, end: str = "") -> int:
        """Deliver, and let something end at the write `last`, counted from 0; return how many writes there were."""
        writes = count()
        wire.is_passed = lambda: next(writes) != last or stop(end)
        deliver_live_generation(nights.corpus, "base", options)
        return next(writes)

    n_writes = deliver()
    for number in range(NIGHTS):
        what = random.choice(["change", "change", "roll back", "purge"])
        if what == "roll back":
            nights.roll_back(random.choice([*nights.generations]))
        elif what == "purge" and nights.live:
            nights.purge(random.choice([*nights.live]))
        else:
            nights.change({random.choice([*TEXTS]): f"Text {number}.\nAgain.", random.choice([*TEXTS]): None})
        before = read_delivered(address, "killed")
        for end in random.sample([*ends], 2):
            last = random.randrange(n_writes)
            with suppress(StoreError):
                deliver(last, end)
            with ending:
                held = read_delivered(address, "killed")
            assert held in (before, (max(nights.generations), name_rows(nights.live))), (what, end, last)
            n_cut, before = n_cut + (held[0] != max(nights.generations)), held
        n_writes = max(n_writes, deliver())
        assert read_delivered(address, "killed") == (max(nights.generations), name_rows(nights.live))
    wire.close()
    assert n_cut >= NIGHTS / 2


def end_connections(address: str) -> bool:
    """Have the server end all other connections."""
    with psycopg.connect(address) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND state IS NOT NULL"
        )
    return True


def restart_server(address: str) -> bool:
    """Stop the server as a crash does, and start it again."""
    with psycopg.connect(address) as connection:
        [(folder,)] = connection.execute("SHOW data_directory").fetchall()
    assert PLACE
    command = [PLACE / "pg_ctl", "restart", "--wait", "--silent", "-m", "immediate", "-D", folder, "-l", f"{folder}/log"]
    subprocess.run(command, check=True, cwd=folder, user=Path(folder).owner())
    return True
