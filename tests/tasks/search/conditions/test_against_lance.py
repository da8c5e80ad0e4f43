"""Drawn conditions, valid and not, against a real Lance table: as many as TEST_REQUESTS says, 200 by default."""

import os
from typing import Any

import psutil
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from schemas.errors import InputError
from tasks.search.conditions.parse import parse_condition
from tests.tasks.search.conditions.table import CONDITIONS, SCHEMA, Drawn, matching, mutated, write_table

EXAMPLES = int(os.environ.get("TEST_REQUESTS", "200"))
GROWTH_BYTES = 32 << 20
TYPES = dict(zip(SCHEMA.names, SCHEMA.types, strict=True))


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return write_table(tmp_path_factory.mktemp("table") / "rows.lance")


def selected(table: Any, sql: str) -> list[int]:
    ids: list[int] = table.to_table(columns=["id"], filter=sql)["id"].to_pylist()
    return sorted(ids)


@settings(max_examples=EXAMPLES)
@given(condition=CONDITIONS)
def test_a_condition_selects_the_rows_for_which_it_holds(table: Any, condition: Drawn) -> None:
    parsed = parse_condition(condition.written, TYPES, "")
    assert selected(table, parsed.sql) == matching(condition.holds)
    assert parse_condition(parsed.sql, TYPES, "") == parsed, "what it is written as means the same"


@settings(max_examples=EXAMPLES)
@given(text=st.one_of(mutated(), mutated(), st.text(max_size=60)))
def test_any_text_is_refused_with_its_place_or_means_what_lance_reads_in_it(table: Any, text: str) -> None:
    try:
        parsed = parse_condition(text, TYPES, "the columns are these")
    except InputError as error:
        assert "does not fit at character" in str(error) or not text.strip()
        return
    found = selected(table, parsed.sql)
    assume('"' not in text)  # Lance reads a name in double quotes as a text
    try:
        meant = selected(table, f"({text})")
    except ValueError:
        return  # Lance takes no 1 = column, +1 or date in quotes, for example
    assert found == meant


def test_the_largest_conditions_are_answered(table: Any) -> None:
    for one in ("open", "path<>''", "n_pages=1", "NOT open", "größe>.5"):
        for word in (" OR ", " AND "):
            text = word.join([one] * (10_000 // len(one + word)))
            assert selected(table, parse_condition(text, TYPES, "").sql) is not None
    alternating = "open"
    for depth in range(50):
        alternating = f"({alternating} {'AND' if depth % 2 else 'OR'} n_pages = {depth})"
    assert len(selected(table, parse_condition(alternating, TYPES, "").sql)) < 120


def test_memory_stays_flat(table: Any) -> None:
    sizes = []
    for number in range(max(EXAMPLES, 500)):
        text = f"(n_pages = {number} OR path LIKE 'a{number}%b') AND NOT (date IS NULL OR größe > {number})"
        selected(table, parse_condition(text, TYPES, "").sql)
        sizes.append(psutil.Process().memory_info().rss)
    assert sizes[-1] - sizes[99] < GROWTH_BYTES
