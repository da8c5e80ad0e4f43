"""Tallies: what an expectation has to know of rows that come in parts; Great Expectations judges it.

Great Expectations' own engines hold all rows in memory, and copy them. These tallies count in Arrow, part by part; what they
counted is enough to judge by.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from expectations.expected import BETWEEN, IN_SET, NOT_NULL, UNIQUE, Counts, ExpectationSpec, TalliedSuite

N_EXAMPLES = 5


class Rows(NamedTuple):
    """Some rows that a suite looks at, with some of the columns. Each stands for `counts` rows (None: one) that are like it."""

    table: pa.Table
    counts: pa.Array | None = None


class Tally:
    """What one expectation has seen of its column. A column that has to be unique must come in one part."""

    def __init__(self, expected: ExpectationSpec, key: str | None) -> None:
        """`key` is the column that names a row in the examples."""
        self.expected, self.key = expected, key
        self.column = expected.column
        self.histogram: Counter[Any] = Counter()
        self.examples: list[Any] = []
        self.n = self.nulls = self.unexpected = 0
        self.error = f"column {self.column} is missing" if self.column else ""
        self._complete = False

    def add(self, rows: Rows) -> None:
        """Count rows, if they have the column."""
        if self.column not in rows.table.column_names or (self.error and self._complete):
            return
        self.error, self._complete = "", True
        try:
            self._count(*self._choose_rows(rows))
        except (pa.ArrowException, TypeError, ValueError) as error:
            self.error = f"column {self.column} cannot be judged: {error}"

    def _choose_rows(self, rows: Rows) -> tuple[pa.Table, pa.Array]:
        """Return the rows to which the expectation applies, and how many each stands for."""
        table, counts = rows.table, rows.counts if rows.counts is not None else pa.repeat(1, rows.table.num_rows)
        if self.expected.where is None:
            return table, counts
        column, value = self.expected.where
        applies = pc.equal(table[column], value)
        return table.filter(applies), counts.filter(applies.combine_chunks())

    def _count(self, table: pa.Table, counts: pa.Array) -> None:
        values = table[self.column].combine_chunks()
        missing = pc.is_null(values, nan_is_null=True)
        self.n += _sum_counts(counts)
        self.nulls += _sum_counts(counts.filter(missing))
        if not is_judged_by_row(self.expected):
            self._count_values(values.filter(pc.invert(missing)), counts.filter(pc.invert(missing)))
            return
        wrong = pc.fill_null(UNEXPECTED[self.expected.type](self.expected.arguments, values), False)
        self.unexpected += _sum_counts(counts.filter(wrong))
        few = table.filter(wrong).slice(0, N_EXAMPLES - len(self.examples))
        named = [self.key, self.column] if self.key and self.key in table.column_names else []
        self.examples += few.select(dict.fromkeys(named)).to_pylist() if named else few[self.column].to_pylist()

    def _count_values(self, values: pa.Array, counts: pa.Array) -> None:
        pc.sum(values)  # refuses what is no number
        grouped = pa.table({"value": values, "n": counts}).group_by("value").aggregate([("n", "sum")])
        self.histogram.update(dict(zip(grouped["value"].to_pylist(), grouped["n_sum"].to_pylist(), strict=True)))

    @property
    def counts(self) -> Counts:
        """What was counted so far."""
        return Counts(self.n, self.nulls, self.unexpected, self.examples, dict(self.histogram), self.error)


def _sum_counts(counts: pa.Array) -> int:
    return int(pc.sum(counts).as_py() or 0)


def _mark_outside_range(values: pa.Array, least: object, most: object) -> pa.Array:
    low = pc.less(values, least) if least is not None else pa.repeat(False, len(values))
    return pc.or_(low, pc.greater(values, most)) if most is not None else low


def _mark_repeated(values: pa.Array) -> pa.Array:
    counted = pc.value_counts(values.drop_null())
    often = counted.field("values").filter(pc.greater(counted.field("counts"), 1))
    return pc.is_in(values, value_set=often)


UNEXPECTED: Mapping[str, Callable[[Mapping[str, Any], pa.Array], Any]] = {
    BETWEEN: lambda it, values: _mark_outside_range(values, it.get("min_value"), it.get("max_value")),
    IN_SET: lambda it, values: pc.invert(pc.is_in(values, value_set=pa.array(it["value_set"], values.type))),
    NOT_NULL: lambda it, values: pc.is_null(values, nan_is_null=True),
    UNIQUE: lambda it, values: _mark_repeated(values),
}
"""By type of expectation, which values are not as its arguments say."""


def is_judged_by_row(expected: ExpectationSpec) -> bool:
    """Return whether an expectation looks at rows one by one, and not at the whole column."""
    return expected.type in UNEXPECTED


def tally_suite(
    name: str, rows: Iterable[Rows], n_rows: int, suite: Sequence[ExpectationSpec], key: str | None = None
) -> TalliedSuite:
    """Return the suite `name` with what was counted for each expectation over `n_rows` rows that come in parts.

    A part may lack columns that another part has for the same rows. `key` is the column that identifies a row in the examples
    of what was observed.
    """
    tallies = [Tally(expected, key) for expected in suite]
    for part in rows:
        for tally in tallies:
            tally.add(part)
    return TalliedSuite(name, n_rows, tuple((tally.expected, tally.counts) for tally in tallies))
