"""Rows of a database as documents, by SQLAlchemy: a query whose columns name them, tell their changes and hold their bodies."""

import hashlib
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, SQLAlchemyError

from schemas.errors import InputError, StoreError
from schemas.options.sources import SourceOptions
from tasks.store.sources.failures import hide_secrets, make_source_error
from tasks.store.sources.logins import Login
from tasks.store.sources.source import ListedFile, Source, SourceListing, make_content_number

ROWS_AT_ONCE = 1000


class SqlRows(Source):
    """The rows of a query. Their paths are the values of the column that names them."""

    def __init__(self, url: str, options: SourceOptions, login: Login) -> None:
        """Find the driver. Nothing is asked of the database yet.

        Raises:
            InputError: there is no query, no such driver or no such file.
        """
        if not options.query.strip():
            raise InputError(f"source {url} is a database: name its documents with --set source.query='SELECT id, body FROM …'")
        self.uri, self._options = url, options
        try:
            self._engine = sa.create_engine(_find_database(url, login), poolclass=sa.NullPool)
        except (ImportError, SQLAlchemyError) as error:
            raise InputError(
                f"source {url} needs a driver for its database ({error}): pip install it, such as psycopg2-binary for postgresql"
            ) from error
        columns = {options.key, options.body, *options.metadata, *([options.changed] if options.changed else [])}
        plain = re.sub(r"(?<![:\\]):(?=\w)", r"\:", options.query.strip().rstrip(";"))  # a colon begins no parameter
        self._rows = sa.text(plain).columns(*map(sa.column, sorted(columns))).subquery("documents").c
        self._has_numbers: bool | None = None

    def list_files(self, memory: bytes) -> SourceListing:
        rows, chosen = self._rows, self._options
        told = rows[chosen.changed] if chosen.changed else rows[chosen.body]
        wanted = sa.select(rows[chosen.key], told, *(rows[name] for name in chosen.metadata))
        found: dict[str, ListedFile] = {}
        for key, seen, *metadata in self._read(wanted):
            if key is None or not str(key):
                raise InputError(f"source {self.uri}: a row has no {chosen.key}: leave it out, or name another column")
            if str(key) in found:
                raise InputError(f"source {self.uri}: two rows have the {chosen.key} {key}: name a column that is unique")
            values = {name: _make_json_value(value) for name, value in zip(chosen.metadata, metadata, strict=True)}
            found[str(key)] = self._make_file(str(key), seen, values)
        return SourceListing([found[path] for path in sorted(found)])

    def stream(self, path: str) -> Iterator[bytes]:
        rows, chosen = self._rows, self._options
        key = rows[chosen.key]
        if self._has_numbers is None:
            self._has_numbers = any(isinstance(value, int) for (value,) in self._read(sa.select(key).limit(1)))
        if self._has_numbers and not path.lstrip("-").isdecimal():
            raise FileNotFoundError(f"{self.uri} has no row {path}")
        same = key == (int(path) if self._has_numbers else path)
        bodies = [_encode_body(body) for (body,) in self._read(sa.select(rows[chosen.body]).where(same))]
        if not bodies:
            raise FileNotFoundError(f"{self.uri} has no row {path}")
        yield bodies[0]

    def _make_file(self, path: str, seen: object, metadata: dict[str, object]) -> ListedFile:
        body = b"" if self._options.changed else _encode_body(seen)
        told = str(seen) if self._options.changed else hashlib.sha256(body).hexdigest()
        stamp = make_content_number("\0".join((self._options.query, self._options.body, told)))
        return ListedFile(path, len(body), stamp, media_type=self._options.media_type, metadata=metadata)

    def _read(self, statement: sa.Select[Any]) -> Iterator[Any]:
        try:
            with self._engine.connect() as connection:
                options = {"yield_per": ROWS_AT_ONCE, "postgresql_readonly": True}
                yield from connection.execution_options(**options).execute(statement)
        except DBAPIError as error:
            raise self._explain(error) from error
        except SQLAlchemyError as error:
            raise make_source_error(self.uri, error) from error

    def _explain(self, error: DBAPIError) -> Exception:
        said = hide_secrets(str(error.orig).strip().splitlines()[0])
        is_of_place = isinstance(error, OperationalError | InterfaceError)
        if is_of_place and not re.search("no such|syntax error", said):  # SQLite calls a wrong query an operational error too
            return make_source_error(self.uri, StoreError(said))
        return InputError(f"source {self.uri}: the query fails ({said}): correct source.query and the names of its columns")


def _find_database(url: str, login: Login) -> sa.URL:
    """Return the URL with the login; a file is only read, and not made."""
    given = sa.make_url(url)
    if given.get_backend_name() != "sqlite":
        return given.set(username=login.user or given.username, password=login.password or None)
    file = Path(given.database or "")
    if not file.is_absolute() or not file.is_file():
        raise InputError(f"source {url}: there is no such file: write sqlite:////path/from/the/root.db")
    return given.set(database=f"file:{file}", query={"mode": "ro", "uri": "true"})


def _encode_body(body: object) -> bytes:
    if body is None:
        return b""
    return body.encode() if isinstance(body, str) else bytes(body) if isinstance(body, bytes | memoryview) else str(body).encode()


def _make_json_value(value: object) -> object:
    """Return a value of a row as JSON has it: times in ISO 8601, lists as lists, what JSON does not have as text."""
    if isinstance(value, list):
        return [_make_json_value(one) for one in value]
    if value is None or isinstance(value, str | int | float):
        return value
    return value.isoformat() if isinstance(value, date) else str(value)
