from collections.abc import Sequence

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from expectations.lengths import Lengths, lengths_of

CHUNKS = st.lists(st.tuples(st.integers(0, 9), st.integers(1, 300), st.integers(1, 900)), max_size=60)
"""Document, tokens, characters."""


def measured(chunks: Sequence[tuple[int, int, int]]) -> Lengths:
    documents = [document for document, _, _ in chunks]
    alone = pa.array([f"d{document}" for document in set(documents) if documents.count(document) == 1], pa.string())
    columns = ([f"d{document}" for document in documents], [n for _, n, _ in chunks], [n for _, _, n in chunks])
    types = (pa.string(), pa.int32(), pa.int64())
    arrays = [pa.chunked_array([pa.array(column, kind)]) for column, kind in zip(columns, types, strict=True)]
    return lengths_of(pa.table(arrays, ["document_id", "n_tokens", "n_chars"]), alone)


@given(chunks=CHUNKS, parting=st.sets(st.integers(0, 9)))
def test_lengths_of_parts_together_are_those_of_the_whole_and_less_one_part_those_of_the_other(
    chunks: list[tuple[int, int, int]], parting: set[int]
) -> None:
    whole = measured(chunks)
    one = measured([chunk for chunk in chunks if chunk[0] in parting])
    other = measured([chunk for chunk in chunks if chunk[0] not in parting])
    assert one + other == whole
    assert whole - one == other
    assert (whole - one).possible
    assert whole.n == len(chunks)


@given(chunks=CHUNKS)
def test_lengths_survive_json(chunks: list[tuple[int, int, int]]) -> None:
    lengths = measured(chunks)
    assert Lengths.model_validate_json(lengths.model_dump_json()) == lengths


@given(chunks=CHUNKS.filter(bool))
def test_more_than_there_is_cannot_be_taken_away(chunks: list[tuple[int, int, int]]) -> None:
    assert not (Lengths() - measured(chunks)).possible
