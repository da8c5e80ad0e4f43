from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from tasks.publish.io.recall import NEAREST, measure_index_recall
from tasks.store import vector_indexes
from tasks.store.loading import import_lance

DIMENSION, ROWS = 16, 3000


def table_of(path: Path, vectors: Any) -> Any:
    column = pa.FixedSizeListArray.from_arrays(pa.array(vectors.reshape(-1)), vectors.shape[1])
    return import_lance().write_dataset(pa.table({"vector": column}), str(path))


@pytest.fixture
def vectors() -> Any:
    return np.random.default_rng(0).standard_normal((ROWS, DIMENSION)).astype(np.float32)


def test_without_an_index_everything_is_found(tmp_path: Path, vectors: Any) -> None:
    assert measure_index_recall(table_of(tmp_path / "t", vectors)) == 1.0


def test_vectors_that_occur_twice_count_whichever_is_found(tmp_path: Path, vectors: Any) -> None:
    dataset = table_of(tmp_path / "t", np.repeat(vectors[:150], 20, axis=0))
    vector_indexes.build_vector_index(dataset)
    assert measure_index_recall(dataset) == 1.0


def test_the_index_that_is_built_finds_nearly_all_and_one_that_looks_at_few_lists_does_not(
    tmp_path: Path, vectors: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_indexes, "LIST_ROWS", 50)
    dataset = table_of(tmp_path / "t", vectors)
    vector_indexes.build_vector_index(dataset)
    assert measure_index_recall(dataset) > 0.9
    monkeypatch.setattr(vector_indexes, "PROBES", 1)
    assert 0.1 < measure_index_recall(dataset) < 0.85


def test_a_table_of_a_few_rows_has_nothing_to_miss(tmp_path: Path, vectors: Any) -> None:
    assert measure_index_recall(table_of(tmp_path / "t", vectors[:NEAREST])) == 1.0


def test_what_the_index_does_not_cover_does_not_count(tmp_path: Path, vectors: Any) -> None:
    dataset = table_of(tmp_path / "t", vectors[:100])
    vector_indexes.build_vector_index(dataset)
    import_lance().write_dataset(table_of(tmp_path / "u", vectors).to_table(), dataset.uri, mode="append")
    grown = import_lance().dataset(dataset.uri)
    assert grown.count_rows() == ROWS + 100
    assert measure_index_recall(grown) == measure_index_recall(dataset) > 0.9
    grown.delete("true")
    assert measure_index_recall(import_lance().dataset(dataset.uri)) == 1.0
