"""Purge: remove a document from every generation, staging and version, for good.

Each kept generation is rewritten without it: versions are restored one after another, the rows deleted, the files that held
them rewritten, the full-text index built anew. Then every other version is deleted.
"""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa

from schemas.errors import CorpusError
from schemas.generations import GENERATIONS, VERSIONED
from schemas.ids import document_id, normal_path
from tasks.adapters import lance, published
from tasks.adapters.folders import PRIVATE
from tasks.adapters.locks import held
from tasks.adapters.published import Generation
from tasks.cleanup import drop_staged, restorable
from tasks.job import lock_path, publishing
from tasks.plan import clean_path
from tasks.rollback import republished
from tasks.write import publish, tag_tables

NAMING_LOGS = ("questions", "validations")
"""Logs whose rows may name a document or quote it."""


def purge_document(corpus: str, source_name: str, path: str, run_id: str) -> dict[str, Any]:
    """Remove the document at `path` below the source `source_name`; return its id and the generations it is gone from.

    Raises:
        CorpusError: no kept generation knows the document, or nothing is published.
        ConflictError: a refresh is under way, or somebody else is publishing.
    """
    live = published.live(corpus)
    name = document_id(source_name, path)
    with held(lock_path(corpus, "refresh"), 0, f"a purge in {corpus}"), publishing(corpus):
        kept = restorable(corpus)
        touched = [found.generation for found in kept if _knows(corpus, found, name)]
        if not touched:
            _delete_for_good(corpus, path)
            raise CorpusError(
                f"no generation of {corpus} holds {normal_path(path)} of source {source_name}: see `pagemill documents`"
            )
        forget_plans(corpus)
        rewritten = [_without(corpus, found, name) for found in kept]
        new = _publish(corpus, rewritten[-1], live, run_id)
        _replace_rows(corpus, rewritten)
        _delete_for_good(corpus, path)
    return {"document_id": name, "path": normal_path(path), "generations": touched, "generation": new}


def _delete_for_good(corpus: str, path: str) -> None:
    """Delete every version and staged file that nothing names, and the logs' rows that name the document.

    Also done when no generation holds the document any more: a purge that was killed is finished by the next.
    """
    for name in NAMING_LOGS:
        if lance.exists(corpus, name):
            _forget_rows(lance.open_table(corpus, name), normal_path(path))
    for name in (*VERSIONED, *NAMING_LOGS, "generations"):
        if lance.exists(corpus, name):
            lance.clean_up(corpus, name, timedelta(0))
    drop_staged(corpus)


def _forget_rows(table: Any, path: str) -> None:
    """Delete the rows that name the document, by their keys: Lance keeps the text of a deletion's condition."""
    rows = table.to_arrow()
    keys = (rows.schema.metadata or {})[b"key"].decode().split(",")
    doomed = [row for row in rows.to_pylist() if _names(row, path)]
    for row in doomed:
        table.delete(" AND ".join(f"{key} = {_literal(row[key])}" for key in keys))
    if doomed:
        lance.rewrite(table)


def _names(value: Any, path: str) -> bool:
    """Tell whether a value is the path, holds it, or quotes it as a JSON string; a longer name that ends like it is another."""
    if isinstance(value, dict):
        return any(_names(inner, path) for inner in value.values())
    if isinstance(value, list):
        return any(_names(inner, path) for inner in value)
    quoted = (json.dumps(path), json.dumps(path, ensure_ascii=False))
    return isinstance(value, str) and (value == path or any(name in value for name in quoted))


def _literal(value: str | int) -> str:
    return str(value) if isinstance(value, int) else "'" + value.replace("'", "''") + "'"


def forget_plans(corpus: str) -> None:
    """Forget what is remembered of earlier plans: names and digests of documents, and what was read in pictures, stand there."""
    clean_path(corpus).unlink(missing_ok=True)
    for folder in ("plans", "results", "readings"):
        for path in (Path(corpus) / PRIVATE / folder).rglob("*"):
            if path.is_file():
                path.unlink()


def _knows(corpus: str, found: Generation, document: str) -> bool:
    where = lance.in_documents([document])
    return any(published.read_columns(corpus, found, name, ["document_id"], where).num_rows for name in ("documents", "rejects"))


def _without(corpus: str, found: Generation, document: str) -> Generation:
    """Rewrite one generation's versions without the document; its tags move to the new versions.

    Tables without such rows are rewritten too: what an earlier refresh removed may still lie in their files, marked deleted.
    """
    versions = {}
    for name in VERSIONED:
        table = lance.open_table(corpus, name)
        table.restore(found.versions[name])
        if table.count_rows(lance.in_documents([document])):
            table.delete(lance.in_documents([document]))
        lance.rewrite(table)
        versions[name] = int(table.version)
    tag_tables(corpus, found.generation, versions)
    return found.model_copy(update={"versions": versions})


def _publish(corpus: str, last: Generation, live: Generation, run_id: str) -> int:
    tag_tables(corpus, live.generation + 1, last.versions)
    row = republished(last, live, last.versions, run_id, "purge", held=live.held)
    counts = {**last.counts, **{f"n_{name}": _count(corpus, name, last.versions[name]) for name in VERSIONED}}
    return publish(corpus, {**row, "counts": json.dumps(counts)})


def _count(corpus: str, name: str, version: int) -> int:
    return int(lance.open_table(corpus, name, version).count_rows())


def _replace_rows(corpus: str, rewritten: list[Generation]) -> None:
    """Let the rows of the rewritten generations name their new versions; rows of older ones keep theirs, which are gone."""
    table = published.generations_table(corpus)
    renamed = {found.generation: json.dumps(found.versions) for found in rewritten}
    rows = table.to_arrow().to_pylist()
    changed = [{**row, "versions": renamed[row["generation"]]} for row in rows if row["generation"] in renamed]
    merge = table.merge_insert("generation").when_matched_update_all()
    merge.execute(pa.Table.from_pylist(changed, schema=GENERATIONS))
