import pyarrow as pa
import pytest

from schemas.conform import conform_to_schema, make_table_from_rows
from schemas.errors import SchemaError

SCHEMA = pa.schema([pa.field("name", pa.string(), nullable=False), pa.field("n", pa.int32())])


def test_columns_come_out_in_the_order_and_types_of_the_schema() -> None:
    table = conform_to_schema(pa.table({"n": pa.array([1], pa.int64()), "name": ["a"]}), SCHEMA)
    assert table.schema == SCHEMA
    assert table.to_pylist() == [{"name": "a", "n": 1}]


def test_a_missing_and_an_unknown_column_are_named() -> None:
    with pytest.raises(SchemaError, match=r"missing: \['n'\].*unknown: \['m'\]"):
        conform_to_schema(pa.table({"name": ["a"], "m": [1]}), SCHEMA)


def test_a_null_in_a_required_column_is_refused() -> None:
    with pytest.raises(SchemaError, match="name holds 1 nulls"):
        conform_to_schema(pa.table({"name": pa.array([None], pa.string()), "n": pa.array([1], pa.int32())}), SCHEMA)


def test_a_value_that_does_not_fit_its_type_is_refused() -> None:
    with pytest.raises(SchemaError, match="does not fit"):
        conform_to_schema(pa.table({"name": ["a"], "n": ["x"]}), SCHEMA)


def test_rows_with_unknown_keys_are_refused() -> None:
    with pytest.raises(SchemaError, match="columns unknown"):
        make_table_from_rows([{"name": "a", "n": 1, "extra": 2}], SCHEMA)


def test_rows_without_a_required_key_are_refused() -> None:
    with pytest.raises(SchemaError, match="name"):
        make_table_from_rows([{"n": 1}], SCHEMA)
