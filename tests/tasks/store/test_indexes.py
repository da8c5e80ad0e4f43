"""Tables that grow by a few rows a night: what is written, and what is found in them."""

from itertools import pairwise
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.conform import make_table_from_rows
from schemas.corpus import Corpus
from schemas.errors import CorpusError
from schemas.tables.chunks import make_chunks_schema
from tasks.store import indexes, lance, vector_indexes
from tasks.store.indexes import (
    FULL_ROWS,
    GROWTH,
    MAX_DELETED_SHARE,
    MIN_DELETED,
    MIN_JOINED,
    Fragment,
    choose_rewrites,
    count_to_join,
)
from tasks.store.loading import import_lance

SCHEMA = make_chunks_schema(8, {})
ROWS_A_DOCUMENT = 5
N_DOCUMENTS = 400


def chunk(document: int, position: int, night: int) -> dict[str, Any]:
    text = f"word{document} of night{night} at position{position}"
    blank = {field.name: "" for field in SCHEMA if pa.types.is_string(field.type)}
    lists: dict[str, list[str]] = {field.name: [] for field in SCHEMA if pa.types.is_list(field.type)}
    numbers = {"start_char": 0, "end_char": len(text), "n_tokens": 5, "position": position}
    vector = np.random.default_rng(document).random(8, dtype=np.float32).tolist()
    names = {"chunk_id": f"{document}-{position}-{night}", "document_id": f"d{document}", "text": text, "search_terms": text}
    return {**blank, **lists, **numbers, **names, "vector": vector}


def rows_of(documents: range, night: int) -> pa.Table:
    return make_table_from_rows([chunk(document, at, night) for document in documents for at in range(ROWS_A_DOCUMENT)], SCHEMA)


def replace(table: Any, documents: range, night: int) -> None:
    rows = rows_of(documents, night)
    names = [f"d{document}" for document in documents]
    lance.replace_documents(table, pa.RecordBatchReader.from_batches(rows.schema, rows.to_batches()), names)


@pytest.fixture
def table(tmp_path: Path) -> Any:
    table = lance.ensure_table(Corpus(str(tmp_path)), "chunks", SCHEMA)
    replace(table, range(N_DOCUMENTS), 0)
    indexes.maintain_indexes(table)
    return table


def files_below(folder: Path) -> dict[Path, int]:
    return {path: path.stat().st_size for path in folder.rglob("*") if path.is_file()}


def found(table: Any, words: str) -> str:
    return str(table.search(words, query_type="fts").select(["chunk_id", "_score"]).limit(1).to_list()[0]["chunk_id"])


def test_one_document_a_night_writes_little_keeps_few_files_and_is_found(table: Any, tmp_path: Path) -> None:
    whole, nights, written = sum(files_below(tmp_path).values()), range(1, 40), 0
    for night in nights:
        known = files_below(tmp_path)
        replace(table, range(night, night + 1), night)
        indexes.maintain_indexes(table)
        written += sum(size for path, size in files_below(tmp_path).items() if path not in known)
        dataset = import_lance().dataset(table.uri)
        assert len(indexes.list_fragments(dataset)) < 16
        assert all(len(pieces) < 16 for pieces in indexes.list_index_segments(dataset).values())
        assert set().union(*indexes.list_index_segments(dataset)["search_terms_idx"]) >= indexes.list_fragments(dataset).keys()
        assert found(table, f"word{night} night{night} position3") == f"{night}-3-{night}"
        assert table.count_rows(f"document_id = 'd{night}'") == ROWS_A_DOCUMENT
    assert table.count_rows() == N_DOCUMENTS * ROWS_A_DOCUMENT
    assert written < whole / 4 * len(nights)


def test_the_same_document_every_night_leaves_few_pieces_of_indexes(table: Any) -> None:
    for night in range(1, 30):
        replace(table, range(3, 4), night)
        indexes.maintain_indexes(table)
    assert all(len(pieces) < 16 for pieces in indexes.list_index_segments(import_lance().dataset(table.uri)).values())
    assert found(table, "word3 night29 position1") == "3-1-29"


def test_a_file_that_lost_many_rows_is_written_anew_with_all_that_follows(table: Any) -> None:
    replace(table, range(100), 1)
    indexes.maintain_indexes(table)
    (file,) = indexes.list_fragments(import_lance().dataset(table.uri)).values()
    assert (file.rows, file.lost) == (N_DOCUMENTS * ROWS_A_DOCUMENT, 0)
    assert found(table, "word99 night1 position4") == "99-4-1"
    assert found(table, "word100 night0 position4") == "100-4-0"


def test_documents_are_removed_without_new_rows_and_added_without_old_ones(table: Any) -> None:
    lance.replace_documents(table, None, ["d1", "d2"])
    assert table.count_rows() == (N_DOCUMENTS - 2) * ROWS_A_DOCUMENT
    assert not lance.has_rows_of(table, ["d1", "d2"])
    replace(table, range(1, 3), 1)
    assert lance.has_rows_of(table, ["d1", *map(str, range(lance.FEW_DOCUMENTS))])
    assert not lance.has_rows_of(table, list(map(str, range(2 * lance.FEW_DOCUMENTS))))


def test_a_table_without_columns_to_look_up_is_only_joined(tmp_path: Path) -> None:
    table = lance.ensure_table(Corpus(str(tmp_path)), "log", SCHEMA)
    for night in range(8):
        table.add(rows_of(range(1), night))
        indexes.maintain_indexes(table)
    dataset = import_lance().dataset(table.uri)
    assert (len(indexes.list_fragments(dataset)), indexes.list_index_segments(dataset)) == (1, {})


def test_a_few_new_vectors_are_found_without_a_piece_of_the_index_which_many_get(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_indexes, "INDEXED_ROWS", 1000)
    monkeypatch.setattr(indexes, "SCANNED_ROWS", 50)
    table = lance.ensure_table(Corpus(str(tmp_path)), "chunks", SCHEMA)
    replace(table, range(N_DOCUMENTS), 0)
    indexes.maintain_indexes(table)
    covered = []
    for night in range(1, 25):
        replace(table, range(N_DOCUMENTS + night, N_DOCUMENTS + night + 1), night)
        indexes.maintain_indexes(table)
        dataset = import_lance().dataset(table.uri)
        pieces = indexes.list_index_segments(dataset)["vector_idx"]
        covered.append(len(frozenset().union(*pieces) & indexes.list_fragments(dataset).keys()))
        nearest = table.search(chunk(N_DOCUMENTS + night, 0, night)["vector"]).refine_factor(50).limit(ROWS_A_DOCUMENT)
        assert {row["document_id"] for row in nearest.to_list()} == {f"d{N_DOCUMENTS + night}"}
        assert len(indexes.list_fragments(dataset)) < 16
    assert covered[0] == 1 < max(covered)


def test_an_index_of_vectors_is_built_from_so_many_rows_on_and_anew_when_they_outgrow_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_indexes, "INDEXED_ROWS", 500)
    monkeypatch.setattr(vector_indexes, "LIST_ROWS", 100)
    table = lance.ensure_table(Corpus(str(tmp_path)), "chunks", SCHEMA)
    seen = []
    for n in (80, 120, 240, 390, 400):
        known = table.count_rows() // ROWS_A_DOCUMENT
        replace(table, range(known, n), 0)
        indexes.maintain_indexes(table)
        dataset = import_lance().dataset(table.uri)
        seen.append(vector_indexes.count_partitions(dataset) if vector_indexes.find_index_type(dataset) else None)
        assert bool(vector_indexes.choose_search_parameters(dataset)) is bool(seen[-1])
    assert seen == [None, 6, 6, 19, 19]
    replace(table, range(395), 1)
    lance.replace_documents(table, None, [f"d{number}" for number in range(395)])
    indexes.maintain_indexes(table)
    assert vector_indexes.count_partitions(import_lance().dataset(table.uri)) == 1
    lance.replace_documents(table, None, [f"d{number}" for number in range(395, 400)])
    indexes.maintain_indexes(table)
    assert table.count_rows() == 0


def test_an_index_of_another_type_is_replaced_and_until_then_searched_by_its_own_parameters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_indexes, "INDEXED_ROWS", 500)
    table = lance.ensure_table(Corpus(str(tmp_path)), "chunks", SCHEMA)
    replace(table, range(N_DOCUMENTS), 0)
    dataset = import_lance().dataset(table.uri)
    dataset.create_index("vector", "IVF_PQ", metric="cosine", num_partitions=1, num_sub_vectors=2, name=vector_indexes.VECTORS)
    assert vector_indexes.choose_search_parameters(dataset)["refine_factor"] == vector_indexes.REFINE["IVF_PQ"]
    table.checkout_latest()
    indexes.maintain_indexes(table)
    assert vector_indexes.find_index_type(import_lance().dataset(table.uri)) == vector_indexes.KIND


def test_an_index_that_cannot_be_extended_is_built_anew_once(table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from lance.dataset import DatasetOptimizer

    extend, failed = DatasetOptimizer.optimize_indices, list[str]()

    def fail(self: DatasetOptimizer, index_names: list[str], **named: Any) -> None:
        if index_names == ["search_terms_idx"]:
            failed.append(index_names[0])
            raise OSError("LanceError(Index): the tokens of two pieces cannot be merged")
        extend(self, index_names=index_names, **named)

    monkeypatch.setattr(DatasetOptimizer, "optimize_indices", fail)
    replace(table, range(3), 1)
    indexes.maintain_indexes(table)
    assert failed == ["search_terms_idx"]
    assert found(table, "word2 night1") in {f"2-{at}-1" for at in range(ROWS_A_DOCUMENT)}
    assert found(table, "word9 night0") in {f"9-{at}-0" for at in range(ROWS_A_DOCUMENT)}
    assert all(
        len(pieces) == 1
        for name, pieces in indexes.list_index_segments(import_lance().dataset(table.uri)).items()
        if "terms" in name
    )


def test_a_merge_that_matches_nothing_in_silence_publishes_nothing(table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from lance.dataset import MergeInsertBuilder

    merge = MergeInsertBuilder.execute

    def match_nothing(self: MergeInsertBuilder, rows: Any) -> Any:
        return merge(self, pa.table({"document_id": ["nobody"]}))

    monkeypatch.setattr(MergeInsertBuilder, "execute", match_nothing)
    with pytest.raises(CorpusError, match="a merge matched none of 3 documents that it has: nothing was published"):
        replace(table, range(3), 1)


PIECES = st.lists(st.builds(lambda rows, lost: Fragment(rows, min(rows, lost)), st.integers(0, 10**7), st.integers(0, 10**7)))


@given(sizes=st.lists(st.integers(0, 10**9), max_size=60))
def test_what_is_joined_is_much_larger_than_the_largest_of_its_pieces(sizes: list[int]) -> None:
    joined = count_to_join(sizes)
    assert joined == 0 or joined >= MIN_JOINED
    last = [max(rows, 1) for rows in sizes[len(sizes) - joined :]]
    assert not last or sum(last) >= GROWTH * max(last)


@pytest.mark.parametrize(("base", "new"), [(5, 5), (47_000, 5), (47_000, 470), (4_700_000, 47_000), (1_000_000, 1)])
def test_nights_of_the_same_size_leave_few_pieces_and_rewrite_a_row_seldom(base: int, new: int) -> None:
    sizes, written, nights = [base], 0, 1000
    for _ in range(nights):
        sizes.append(new)
        if joined := count_to_join(sizes):
            written += sum(sizes[-joined:])
            sizes[-joined:] = [sum(sizes[-joined:])]
        assert len(sizes) <= MIN_JOINED * log(base + nights * new, GROWTH)
    assert written <= nights * new * log(nights, GROWTH)


@given(pieces=PIECES)
def test_every_worn_piece_is_due_and_full_ones_that_are_not_worn_stay(pieces: list[Fragment]) -> None:
    found = choose_rewrites(pieces)
    for place, piece in enumerate(pieces):
        worn = piece.rows - piece.n_live_rows > max(MAX_DELETED_SHARE * piece.rows, MIN_DELETED)
        assert place in found or not worn
        assert place not in found or worn or piece.n_live_rows < FULL_ROWS


@given(pieces=PIECES.map(lambda pieces: [piece for piece in pieces if piece.n_live_rows < FULL_ROWS]))
def test_what_is_due_are_the_youngest_pieces_so_that_pieces_keep_the_order_of_their_age(pieces: list[Fragment]) -> None:
    places = sorted(choose_rewrites(pieces))
    assert all(after == before + 1 for before, after in pairwise(places))
    assert not places or places[-1] == len(pieces) - 1
