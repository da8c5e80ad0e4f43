"""The SQLite database of the Prefect server of `make up`: a damaged one is refused before the server starts with it."""

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

from sqlalchemy import make_url


def check_database(url: str) -> None:
    """Exit with one line if the SQLite database at `url` is damaged: the server would end in a traceback, or serve it."""
    path = make_url(url).database
    if path and Path(path).exists() and (said := find_database_damage(Path(path))):
        sys.exit(
            f"the database of the Prefect server is damaged ({path}: {said}): move it away, or put a copy in its place, "
            "then run make up and make deploy again; corpora are not touched, only the history of runs is lost"
        )


def find_database_damage(path: Path) -> str:
    """Return what SQLite finds wrong with the pages of a database, in one line; blank if nothing is."""
    try:
        with closing(sqlite3.connect(path)) as database:
            [found] = database.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.OperationalError:
        return ""  # it is in use, or may not be opened: the server says so itself
    except sqlite3.DatabaseError as error:
        return str(error)
    return "" if found == "ok" else " ".join(str(found).split())
