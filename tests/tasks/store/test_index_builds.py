"""Builds of the index of vectors that are killed, or meet another, or find no room."""

import resource
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from lance.commit import CommitConflictError

from schemas.corpus import Corpus
from schemas.errors import CorpusError
from tasks.publish.io.recall import measure_index_recall
from tasks.store import lance, vector_indexes
from tasks.store.loading import import_lance

ROWS, DIMENSION = 20_000, 8
BUILD_FOREVER = """
import sys
from contextlib import suppress
from lance.commit import CommitConflictError
from tasks.store import vector_indexes
from tasks.store.loading import import_lance
while True:
    with suppress(CommitConflictError):  # whoever is slower
        vector_indexes.build_vector_index(import_lance().dataset(sys.argv[1]))
        print("built", flush=True)
"""


def draw_vectors() -> pa.Table:
    vectors = np.random.default_rng(0).standard_normal(ROWS * DIMENSION, dtype=np.float32)
    return pa.table({"vector": pa.FixedSizeListArray.from_arrays(pa.array(vectors), DIMENSION)})


def test_a_build_that_is_killed_or_meets_another_leaves_an_index_that_finds_what_it_should(tmp_path: Path) -> None:
    import_lance().write_dataset(draw_vectors(), str(tmp_path / "t.lance"))
    place = str(tmp_path / "t.lance")
    with subprocess.Popen([sys.executable, "-c", BUILD_FOREVER, place], stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout and other.stdout.readline() == "built\n"
        with suppress(OSError, RuntimeError, CommitConflictError):  # the other was faster: its index is there
            vector_indexes.build_vector_index(import_lance().dataset(place))
        assert measure_index_recall(import_lance().dataset(place)) > 0.95
        assert other.stdout.readline() == "built\n"
        other.kill()
    assert other.returncode == -signal.SIGKILL
    dataset = import_lance().dataset(place)
    assert dataset.count_rows() == ROWS and measure_index_recall(dataset) > 0.95
    vector_indexes.build_vector_index(dataset)
    assert len(vector_indexes.list_vector_segments(import_lance().dataset(place))) == 1


def test_a_build_that_may_not_write_its_files_says_so_and_the_old_index_goes_on_answering(tmp_path: Path) -> None:
    corpus = Corpus(str(tmp_path))
    dataset = import_lance().write_dataset(draw_vectors(), str(corpus.table("chunks")))
    vector_indexes.build_vector_index(dataset)
    before, pieces = dataset.version, vector_indexes.list_vector_segments(dataset)
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (ROWS, usual[1]))
    try:
        with (
            pytest.raises(CorpusError, match=r"larger than the limit; raise that limit .* the published data is complete"),
            lance.explain_failed_writes(corpus),
        ):
            vector_indexes.build_vector_index(dataset)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
    found = import_lance().dataset(dataset.uri)
    assert (found.version, vector_indexes.list_vector_segments(found)) == (before, pieces)
    assert measure_index_recall(found) > 0.95
