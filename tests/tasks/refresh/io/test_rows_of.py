from typing import Any

import pyarrow as pa
import pytest

from schemas.conform import make_table_from_rows
from schemas.errors import LimitError, WorkerError
from schemas.staged import CHUNKED
from tasks.refresh.io.steps import check_worker_rows

ROW = make_table_from_rows([{"chunks": [], "rejects": []}], CHUNKED)


def test_a_row_and_an_error_are_what_a_worker_may_say() -> None:
    error = LimitError("too much")
    found = check_worker_rows(ROW, CHUNKED, 1)
    assert isinstance(found, pa.Table) and found.equals(ROW)
    assert check_worker_rows(error, CHUNKED, 1) is error


@pytest.mark.parametrize(
    "answer",
    [
        None,
        7,
        "text",
        (ROW, ROW),
        ROW.slice(1),
        pa.concat_tables([ROW, ROW]),
        ROW.drop_columns(["rejects"]),
        ROW.set_column(1, "rejects", pa.array([7])),
        pa.table({"chunks": [None], "rejects": [None]}, schema=pa.schema([field.with_nullable(True) for field in CHUNKED])),
        pa.table({"chunks": [None], "rejects": [None]}, schema=CHUNKED),
    ],
)
def test_anything_else_is_the_workers_error_and_does_not_reach_the_run(answer: Any) -> None:
    assert isinstance(check_worker_rows(answer, CHUNKED, 1), WorkerError)
