"""Contents: whether the tables of a generation hold what they promise each other, and their indexes find it."""

from collections.abc import Iterator, Sequence, Set
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from schemas.corpus import Corpus
from schemas.errors import CorpusError
from schemas.tables.generations import VERSIONED
from tasks.publish.integrity import Finding
from tasks.store import published
from tasks.store.conditions import make_any_condition, make_in_condition
from tasks.store.published import Generation
from tasks.store.vector_indexes import VECTORS, choose_search_parameters

if TYPE_CHECKING:
    from lance import LanceDataset
    from lance.lance.indices import IndexDescription

DOCUMENTS_AT_ONCE = 500
SAMPLES = 20
"""Rows that each index is asked for."""

UNIT = 0.02
"""How far the length of a vector may be from 1; a text without a known word may have none, of length 0."""

NEAREST = 10


def check_generation_contents(corpus: Corpus, live: Generation) -> list[Finding]:
    """Return what is wrong with the rows of a generation: keys, texts of chunks, vectors, indexes.

    All rows are read, in parts.
    """
    found: list[tuple[str, str]] = []
    try:
        for name in VERSIONED:
            found += _check_keys(corpus, live, name)
        found += [("table chunks", said) for said in (*_check_chunk_texts(corpus, live), *_check_vectors(corpus, live))]
    except (CorpusError, pa.ArrowException, OSError, ValueError, RuntimeError) as error:
        found.append(("tables", f"cannot be read ({error})"))
    wrong = [Finding("contents", place, what, (live.generation,)) for place, what in found]
    return [*wrong, *_check_indexes(corpus, live)]


def _check_keys(corpus: Corpus, live: Generation, name: str) -> Iterator[tuple[str, str]]:
    dataset = published.open_published(corpus, live, name)
    keys = (dataset.schema.metadata or {})[b"key"].decode().split(",")
    rows = published.read_columns(corpus, live, name, keys)
    if rows.group_by(keys).aggregate([]).num_rows != rows.num_rows:
        yield f"table {name}", f"has rows of the same {', '.join(keys)}"
    if rows.num_rows != live.counts.get(f"n_{name}", rows.num_rows):
        yield f"table {name}", f"has {rows.num_rows} rows, and {live.counts[f'n_{name}']} were published"


def _check_chunk_texts(corpus: Corpus, live: Generation) -> Iterator[str]:
    """Yield documents whose chunks are not the text between their offsets, or are not all there."""
    columns = ["document_id", "path", "n_chunks", "text"]
    dataset = published.open_published(corpus, live, "documents")
    seen = 0
    for batch in dataset.to_batches(columns=columns, batch_size=DOCUMENTS_AT_ONCE):
        documents = {row["document_id"]: row for row in batch.to_pylist()}
        spans = ["document_id", "start_char", "end_char", "text"]
        rows = published.read_rows_of(corpus, live, "chunks", spans, list(documents))
        counts = dict.fromkeys(documents, 0)
        for of, start, end, text in zip(*(rows[name].to_pylist() for name in spans), strict=True):
            counts[of] += 1
            if documents[of]["text"][start:end] != text:
                yield f"has a chunk of {documents[of]['path']} that is not characters {start} to {end} of its text"
        yield from (
            f"has {n} chunks of {documents[of]['path']}, which has {documents[of]['n_chunks']}"
            for of, n in counts.items()
            if n != documents[of]["n_chunks"]
        )
        seen += rows.num_rows
    if seen != published.open_published(corpus, live, "chunks").count_rows():
        yield "has chunks of documents that are not there"


def _check_vectors(corpus: Corpus, live: Generation) -> Iterator[str]:
    wrong = 0
    for part in published.read_batches(corpus, live, "chunks", ["vector"]):
        vectors = part["vector"].combine_chunks()
        lengths = np.linalg.norm(vectors.flatten().to_numpy(zero_copy_only=False).reshape(len(vectors), -1), axis=1)
        wrong += int(np.sum(~((np.abs(lengths - 1) < UNIT) | (lengths == 0))))
    if wrong:
        yield f"has {wrong} vectors that are not finite and of length 1"


def _check_indexes(corpus: Corpus, live: Generation) -> list[Finding]:
    """Return the indexes that do not find rows which the table has."""
    found = []
    for name in VERSIONED:
        dataset = published.open_published(corpus, live, name)
        rows = dataset.count_rows()
        places = sorted({int(at) for at in np.linspace(0, rows - 1, min(SAMPLES, rows))}) if rows else []
        for index in dataset.describe_indices() if rows else ():
            try:
                answers = _does_index_find_rows(dataset, index, places)
            except (OSError, ValueError, RuntimeError):
                answers = False
            if not answers:
                place = f"index {index.name} of table {name}"
                found.append(Finding("index", place, "does not find what is there", (live.generation,)))
    return found


def _does_index_find_rows(dataset: "LanceDataset", index: "IndexDescription", places: Sequence[int]) -> bool:
    column = index.field_names[0]
    rows = dataset.take(places, columns=[column])
    values = [value for value in rows[column].to_pylist() if value]
    if index.name == VECTORS:
        return all(_does_search_find_vector(dataset, value) for value in values if np.any(value))
    if column in ("search_terms", "text"):
        return all(_does_search_find_words(dataset, column, value) for value in values)
    if pa.types.is_list(dataset.schema.field(column).type):
        return _does_index_find_lists(dataset, column, {one for value in values for one in value})
    comparable = [value for value in values if value == value]  # a number that is none equals nothing
    by_index = dataset.to_table(columns=[column], filter=make_in_condition(f"`{column}`", comparable))
    scanned = pc.sum(
        pc.is_in(dataset.to_table(columns=[column])[column], value_set=pa.array(comparable, rows[column].type))
    ).as_py()
    return bool(by_index.num_rows == (scanned or 0))


def _does_index_find_lists(dataset: "LanceDataset", column: str, values: Set[str]) -> bool:
    """Return whether the index finds the rows with one of some values, and no others: older groups would open documents."""
    where = make_any_condition(f"`{column}`", sorted(values))
    found = dataset.to_table(columns=[], filter=where, with_row_id=True)["_rowid"].to_pylist()
    rows = dataset.to_table(columns=[column], with_row_id=True)
    there = zip(rows["_rowid"].to_pylist(), rows[column].to_pylist(), strict=True)
    return sorted(found) == sorted(row for row, mine in there if not values.isdisjoint(mine or ()))


def _does_search_find_vector(dataset: "LanceDataset", vector: Sequence[float]) -> bool:
    """Return whether the nearest to a vector of the table are found; a few others may be as near."""
    query = {
        "column": "vector",
        "q": np.asarray(vector, np.float32),
        "k": NEAREST,
        "metric": "cosine",
        **choose_search_parameters(dataset),
    }
    near = dataset.to_table(columns=["_distance"], nearest=query)["_distance"].to_pylist()
    return bool(near) and min(near) < 0.01


def _does_search_find_words(dataset: "LanceDataset", column: str, text: str) -> bool:
    """Return whether a text is found by its longest word, if it has one that full-text search knows."""
    words = sorted((word for word in text.split() if word.isalpha() and 5 < len(word) < 30), key=len)
    if not words:
        return True
    query = {"columns": [column], "query": words[-1]}
    found = dataset.to_table(columns=[column, "_score"], full_text_query=query)
    return any(words[-1] in value for value in found[column].to_pylist())
