"""The Prefect server of `make up`: as `prefect server start`, but guarded, and on SQLite what writes waits for its turn.

`flows.deploy.guard` says who may ask it. Prefect begins its transactions on SQLite deferred. One that reads first and then writes
fails at once, with "database is locked", if another has written in between: no time-out helps, as what it has read is out of
date. The server then answers 503, which the UI shows as an error, and an event whose evaluation failed is evaluated again, so an
alarm may be sent twice. A transaction that begins immediate (https://www.sqlite.org/lang_transaction.html) takes its turn before
it reads.
"""

import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from contextvars import ContextVar

import uvicorn
from prefect.server.api.server import create_app
from prefect.server.database.configurations import SQLITE_BEGIN_MODE, AioSqliteConfiguration
from prefect.server.database.dependencies import MODELS_DEPENDENCIES
from prefect.server.utilities.database import get_dialect
from prefect.settings import (
    PREFECT_API_DATABASE_CONNECTION_URL,
    PREFECT_SERVER_CORS_ALLOWED_ORIGINS,
    PREFECT_SERVER_CSRF_PROTECTION_ENABLED,
    get_current_settings,
    temporary_settings,
)
from sqlalchemy.ext.asyncio import AsyncSession, AsyncSessionTransaction

from flows.deploy.database import check_database
from flows.deploy.guard import Guard, list_own_host_names

KEY = "PAGEMILL_DEPLOYMENT_KEY"
"""Holds the key without which what runs cannot be changed."""

_outer: ContextVar[AsyncSession | None] = ContextVar("outer", default=None)
"""The session that this task, or the one which started it, began a transaction with last."""


class PatientSqlite(AioSqliteConfiguration):
    """A SQLite database whose transactions wait for each other, a minute at most, instead of failing."""

    @asynccontextmanager
    async def begin_transaction(
        self, session: AsyncSession, with_for_update: bool = False
    ) -> AsyncGenerator[AsyncSessionTransaction, None]:
        """Begin a transaction that may write. One within another, which would wait for itself, begins as Prefect has it."""
        outer = _outer.get()
        if outer is not None and outer.in_transaction():
            async with super().begin_transaction(session, with_for_update) as transaction:
                yield transaction
            return
        before = _outer.set(session)
        try:
            async with session.begin() as transaction:
                await _begin_write_transaction(session)
                yield transaction
        finally:
            _outer.reset(before)


async def _begin_write_transaction(session: AsyncSession) -> None:
    """Have the session's transaction begin now; sessions that are opened during it read as they always do."""
    mode = SQLITE_BEGIN_MODE.set("IMMEDIATE")
    try:
        await session.connection()
    finally:
        SQLITE_BEGIN_MODE.reset(mode)


def main() -> None:
    """Run the server until a signal ends it. Other databases than SQLite are as Prefect has them."""
    url = PREFECT_API_DATABASE_CONNECTION_URL.value()
    if url and get_dialect(url).name == "sqlite":
        check_database(url)
        MODELS_DEPENDENCIES["database_config"] = PatientSqlite(connection_url=url)
    settings = get_current_settings().server
    places = list_own_host_names([settings.ui.api_url or "", os.environ.get("PREFECT_API_URL", "")], settings.api.port)
    strict = {
        PREFECT_SERVER_CORS_ALLOWED_ORIGINS: ",".join(sorted(places.origins)),
        PREFECT_SERVER_CSRF_PROTECTION_ENABLED: True,
    }
    with temporary_settings(strict):
        uvicorn.run(
            Guard(create_app(final=True), places, os.environ.get(KEY, "")),
            host=settings.api.host,
            port=settings.api.port,
            timeout_keep_alive=settings.api.keepalive_timeout,
            ws_ping_interval=settings.api.websocket_ping_interval,
            ws_ping_timeout=settings.api.websocket_ping_timeout,
            log_level=settings.logging_level.lower(),
        )


if __name__ == "__main__":
    main()
