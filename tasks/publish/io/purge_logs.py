"""Rows of logs that name a document, which a purge deletes."""

import json

from schemas.corpus import Corpus
from schemas.ids import normal_path
from schemas.media_types import holds_documents
from tasks.store import indexes, lance

QUOTING_LOGS = ("questions", "retrieved", "validations")
"""Logs whose rows can name or quote a document."""

ROWS_AT_ONCE = 100
"""Rows of a log that one commit deletes."""


def find_log_rows_naming(corpus: Corpus, name: str, path: str) -> list[dict[str, str | int]]:
    """Return the rows of a log that name the document."""
    rows = lance.open_table(corpus, name).to_arrow().to_pylist() if lance.does_table_exist(corpus, name) else []
    return [row for row in rows if does_value_name_path(row, normal_path(path))]


def delete_log_rows_naming(corpus: Corpus, name: str, path: str) -> None:
    """Delete the rows that name the document. The condition uses only keys, because Lance stores its text.

    The files are rewritten even without such rows: a killed purge may have deleted the rows, but not rewritten the files.
    """
    if not lance.does_table_exist(corpus, name):
        return
    table = lance.open_table(corpus, name)
    keys = (table.schema.metadata or {})[b"key"].decode().split(",")
    mentions = find_log_rows_naming(corpus, name, path)
    of_rows = ["(" + " AND ".join(f"{key} = {_write_literal(row[key])}" for key in keys) + ")" for row in mentions]
    for at in range(0, len(of_rows), ROWS_AT_ONCE):
        table.delete(" OR ".join(of_rows[at : at + ROWS_AT_ONCE]))
    indexes.rewrite_without_deleted_rows(table)


def does_value_name_path(value: object, path: str) -> bool:
    """Return whether a value is the path, or quotes it as JSON, or names what is in the archive, mailbox or mail at that path.

    A longer name with the same end does not count.
    """
    if isinstance(value, dict):
        return any(does_value_name_path(inner, path) for inner in value.values())
    if isinstance(value, list):
        return any(does_value_name_path(inner, path) for inner in value)
    if not isinstance(value, str):
        return False
    quoted = [json.dumps(path), json.dumps(path, ensure_ascii=False)]
    if holds_documents(path):
        quoted += [f"{name[:-1]}/" for name in quoted]
    return value == path or (holds_documents(path) and value.startswith(f"{path}/")) or any(name in value for name in quoted)


def _write_literal(value: str | int) -> str:
    return str(value) if isinstance(value, int) else "'" + value.replace("'", "''") + "'"
