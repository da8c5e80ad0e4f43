import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from tasks.deliver.comparison import find_differing_rows

ROW = st.fixed_dictionaries(
    {"text": st.none() | st.text(max_size=2), "pages": st.none() | st.lists(st.integers(0, 2), max_size=2)}
)
SCHEMA = pa.schema([("text", pa.string()), ("pages", pa.list_(pa.int32()))])


@given(st.lists(st.tuples(ROW, ROW | st.none()), max_size=20))
def test_rows_differ_where_their_values_do(pairs: list[tuple[dict[str, object], dict[str, object] | None]]) -> None:
    before = [old for old, _ in pairs]
    after = [old if new is None else new for old, new in pairs]
    found = find_differing_rows(*(pa.Table.from_pylist(rows, schema=SCHEMA) for rows in (before, after)))
    assert found == [place for place, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]


def test_all_rows_differ_where_vectors_have_another_dimension() -> None:
    tables = [pa.table({"vector": pa.array([[0.0] * size] * 3, pa.list_(pa.float32(), size))}) for size in (2, 4)]
    assert find_differing_rows(*tables) == [0, 1, 2]
