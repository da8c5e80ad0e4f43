from typing import Any

import pytest

from tasks.purge import _literal, _names


@pytest.mark.parametrize(
    ("row", "named"),
    [
        ({"documents": ["a.txt"]}, True),
        ({"gold": [{"document": "a.txt", "start": 1}]}, True),
        ({"observed": '{"examples": ["a.txt"]}'}, True),
        ({"documents": ["data.txt", "sub/a.txt", "a.txt.md"]}, False),
        ({"observed": '{"examples": ["data.txt"]}', "position": 3}, False),
    ],
)
def test_only_rows_that_name_the_very_document_are_forgotten(row: dict[str, Any], named: bool) -> None:
    assert _names(row, "a.txt") == named


def test_keys_with_quotes_are_written_as_sql() -> None:
    assert (_literal("q's"), _literal(3)) == ("'q''s'", "3")
