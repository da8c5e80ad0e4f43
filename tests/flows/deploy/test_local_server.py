"""On SQLite, transactions of the server of `make up` wait for each other."""

import asyncio
from pathlib import Path

import pytest
import sqlalchemy as sa
from prefect.server.database.configurations import AioSqliteConfiguration
from sqlalchemy.exc import OperationalError

from flows.deploy.local_server import PatientSqlite

COUNT, RAISE = sa.text("SELECT n FROM counter"), sa.text("UPDATE counter SET n = :n")


async def counted(database: AioSqliteConfiguration, times: int) -> int:
    """Read a counter and raise it, in `times` transactions at once; return what it is then."""
    engine = await database.engine()
    async with engine.begin() as connection:
        await connection.execute(sa.text("CREATE TABLE counter (n INTEGER)"))
        await connection.execute(sa.text("INSERT INTO counter VALUES (0)"))

    async def count() -> None:
        async with await database.session(engine) as session, database.begin_transaction(session):
            n = (await session.execute(COUNT)).scalar_one()
            await asyncio.sleep(0.01)
            await session.execute(RAISE, {"n": n + 1})

    await asyncio.gather(*(count() for _ in range(times)))
    async with await database.session(engine) as session:
        found: int = (await session.execute(COUNT)).scalar_one()
    await engine.dispose()
    return found


def test_transactions_that_read_and_then_write_all_count(tmp_path: Path) -> None:
    assert asyncio.run(counted(PatientSqlite(f"sqlite+aiosqlite:///{tmp_path}/patient.db"), 12)) == 12


async def overtaken(database: AioSqliteConfiguration) -> None:
    """Read, let another transaction write, then write."""
    engine = await database.engine()
    try:
        async with engine.begin() as connection:
            await connection.execute(sa.text("CREATE TABLE counter (n INTEGER)"))
            await connection.execute(sa.text("INSERT INTO counter VALUES (0)"))
        async with await database.session(engine) as session, database.begin_transaction(session):
            await session.execute(COUNT)
            async with await database.session(engine) as other, database.begin_transaction(other):
                await other.execute(RAISE, {"n": 1})
            await session.execute(RAISE, {"n": 2})
    finally:
        await engine.dispose()


def test_prefect_itself_does_not_wait(tmp_path: Path) -> None:
    with pytest.raises(OperationalError, match="database is locked"):
        asyncio.run(overtaken(AioSqliteConfiguration(f"sqlite+aiosqlite:///{tmp_path}/hasty.db")))


async def nested(database: AioSqliteConfiguration) -> list[int]:
    """Read in a session, and in a transaction, within another transaction; then begin one of each after it."""
    engine, seen = await database.engine(), list[int]()
    async with await database.session(engine) as outer, database.begin_transaction(outer):
        async with await database.session(engine) as inner:
            seen.append((await inner.execute(sa.text("SELECT 1"))).scalar_one())
        async with await database.session(engine) as inner, database.begin_transaction(inner):
            seen.append((await inner.execute(sa.text("SELECT 2"))).scalar_one())
    async with await database.session(engine) as after, database.begin_transaction(after):
        seen.append((await after.execute(sa.text("SELECT 3"))).scalar_one())
    await engine.dispose()
    return seen


def test_what_reads_within_a_transaction_does_not_wait_for_it(tmp_path: Path) -> None:
    places = PatientSqlite(f"sqlite+aiosqlite:///{tmp_path}/patient.db")
    assert asyncio.run(asyncio.wait_for(nested(places), 20)) == [1, 2, 3]
