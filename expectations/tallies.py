"""Tallies: what an expectation has to know of rows that come in parts; Great Expectations judges it.

Great Expectations' own engines hold all rows in memory, and copy them. These tallies count in Arrow, part by part, and give
Great Expectations the numbers ("metrics") that it asks for.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

if TYPE_CHECKING:
    from great_expectations.expectations import Expectation

N_EXAMPLES = 5

FORM = {"result_format": "BASIC"}
COUNTS_ONLY = {"result_format": "BOOLEAN_ONLY"}


class Rows(NamedTuple):
    """Some rows that a suite looks at, with some of the columns. Each stands for `counts` rows (None: one) that are like it."""

    table: pa.Table
    counts: pa.Array | None = None


class Tally:
    """What one expectation has seen of its column. A column that has to be unique must come in one part."""

    def __init__(self, expectation: "Expectation", key: str | None) -> None:
        """`key` is the column that names a row in the examples."""
        self.expectation, self.key = expectation, key
        self.column: str = getattr(expectation, "column", "")
        self.condition: Any = getattr(expectation, "row_condition", None)
        self.judges_rows = expectation.expectation_type in UNEXPECTED
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
            self._count(*self._chosen(rows))
        except (pa.ArrowException, TypeError, ValueError) as error:
            self.error = f"column {self.column} cannot be judged: {error}"

    def _chosen(self, rows: Rows) -> tuple[pa.Table, pa.Array]:
        """Return the rows to which the expectation applies, and how many each stands for."""
        table, counts = rows.table, rows.counts if rows.counts is not None else pa.repeat(1, rows.table.num_rows)
        if self.condition is None:
            return table, counts
        applies = pc.equal(table[self.condition.column.name], self.condition.parameter)
        return table.filter(applies), counts.filter(applies.combine_chunks())

    def _count(self, table: pa.Table, counts: pa.Array) -> None:
        values = table[self.column].combine_chunks()
        missing = pc.is_null(values, nan_is_null=True)
        self.n += _sum(counts)
        self.nulls += _sum(counts.filter(missing))
        if not self.judges_rows:
            self._count_values(values.filter(pc.invert(missing)), counts.filter(pc.invert(missing)))
            return
        wrong = pc.fill_null(_unexpected(self.expectation)(values), False)
        self.unexpected += _sum(counts.filter(wrong))
        few = table.filter(wrong).slice(0, N_EXAMPLES - len(self.examples))
        named = [self.key, self.column] if self.key and self.key in table.column_names else []
        self.examples += few.select(dict.fromkeys(named)).to_pylist() if named else few[self.column].to_pylist()

    def _count_values(self, values: pa.Array, counts: pa.Array) -> None:
        pc.sum(values)  # refuses what is no number
        grouped = pa.table({"value": values, "n": counts}).group_by("value").aggregate([("n", "sum")])
        self.histogram.update(dict(zip(grouped["value"].to_pylist(), grouped["n_sum"].to_pylist(), strict=True)))

    def judged(self, n_rows: int) -> tuple[bool, Any]:
        """Return whether Great Expectations finds the expectation met, and what was observed, by an account of `n_rows` rows."""
        form = {**(COUNTS_ONLY if self.judges_rows else FORM)}
        asked = self.expectation.get_validation_dependencies(runtime_configuration=form).metric_configurations
        metrics = {found.id: self._metric(name, found.metric_value_kwargs, n_rows) for name, found in asked.items()}
        result = self.expectation.metrics_validate(metrics, runtime_configuration=form)
        if not self.judges_rows:
            return bool(result.success), result.result["observed_value"]
        observed = {"unexpected": self.unexpected, "of": self.n}
        return bool(result.success), {**observed, **({"examples": self.examples} if self.unexpected else {})}

    def _metric(self, name: str, given: Mapping[str, Any], n_rows: int) -> Any:
        values = self.histogram
        known: dict[str, Callable[[], Any]] = {
            "table.row_count": lambda: self.n if self.column else n_rows,
            "column_values.nonnull.unexpected_count": lambda: self.nulls,
            "column_values.nonnull.count": values.total,
            "column.mean": lambda: mean(values),
            "column.quantile_values": lambda: [quantile(values, share) for share in given["quantiles"]],
            "column.histogram": lambda: counts_between(values, given["bins"]),
            "below_partition": lambda: sum(n for value, n in values.items() if value < given["max_value"]),
            "above_partition": lambda: sum(n for value, n in values.items() if value > given["min_value"]),
        }
        return known[name]() if name in known else self.unexpected


def mean(histogram: Mapping[Any, int]) -> float | None:
    """Return the mean of counted values; None if there are none."""
    n = sum(histogram.values())
    return sum(value * times for value, times in histogram.items()) / n if n else None


def quantile(histogram: Mapping[Any, int], share: float) -> Any:
    """Return the counted value that stands nearest to a `share` of their order; None if there are none.

    >>> quantile({3: 2, 9: 1}, 0.5)
    3
    """
    place, reached = round((sum(histogram.values()) - 1) * share), 0
    for value in sorted(histogram):
        reached += histogram[value]
        if place < reached:
            return value
    return None


def counts_between(histogram: Mapping[Any, int], edges: "list[float]") -> list[int]:
    """Return how many of the counted values lie between consecutive edges; the last range includes its right edge."""
    import numpy as np

    counts, _ = np.histogram(list(histogram), bins=edges, weights=list(histogram.values()))
    return [int(n) for n in counts]


def _sum(counts: pa.Array) -> int:
    return int(pc.sum(counts).as_py() or 0)


def _outside(values: pa.Array, least: Any, most: Any) -> Any:
    low = pc.less(values, least) if least is not None else pa.repeat(False, len(values))
    return pc.or_(low, pc.greater(values, most)) if most is not None else low


def _repeated(values: pa.Array) -> Any:
    counted = pc.value_counts(values.drop_null())
    often = counted.field("values").filter(pc.greater(counted.field("counts"), 1))
    return pc.is_in(values, value_set=often)


UNEXPECTED: Mapping[str, Callable[..., Any]] = {
    "expect_column_values_to_be_between": lambda it, values: _outside(values, it.min_value, it.max_value),
    "expect_column_values_to_be_in_set": lambda it, values: pc.invert(
        pc.is_in(values, value_set=pa.array(it.value_set, values.type))
    ),
    "expect_column_values_to_not_be_null": lambda it, values: pc.is_null(values, nan_is_null=True),
    "expect_column_values_to_be_unique": lambda it, values: _repeated(values),
}
"""By expectation, which values are not as it expects."""


def _unexpected(expectation: "Expectation") -> Callable[[pa.Array], Any]:
    return partial(UNEXPECTED[expectation.expectation_type], expectation)
