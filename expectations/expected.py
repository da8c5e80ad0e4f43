"""What a suite expects and what was found, as plain values: Great Expectations, whose terms these are, takes seconds to load."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict

ROWS = "expect_table_row_count_to_equal"
ROWS_BETWEEN = "expect_table_row_count_to_be_between"
NOT_NULL = "expect_column_values_to_not_be_null"
UNIQUE = "expect_column_values_to_be_unique"
IN_SET = "expect_column_values_to_be_in_set"
BETWEEN = "expect_column_values_to_be_between"
MEAN = "expect_column_mean_to_be_between"
QUANTILES = "expect_column_quantile_values_to_be_between"
NO_FALL = "expect_paired_difference_to_be_above"
"""Pagemill's own: Great Expectations has none that compares two searches."""

DRIFT = "expect_column_kl_divergence_to_be_less_than"


Severity = Literal["critical", "warning"]


class ExpectationSpec(NamedTuple):
    """One expectation: its type and arguments as Great Expectations names them.

    `where` (column, value) limits it to some rows. `meta` is added to what a finding says is allowed.
    """

    type: str
    column: str = ""
    arguments: Mapping[str, Any] = {}
    severity: Severity = "critical"
    where: tuple[str, Any] | None = None
    meta: Mapping[str, Any] = {}


class Counts(NamedTuple):
    """What there is to judge an expectation by: `n` rows, of these `nulls` and `unexpected` ones, with examples.

    An expectation that looks at a whole column has the number of rows by value instead. `error` says why nothing can be judged.
    """

    n: int
    nulls: int
    unexpected: int
    examples: list[object]
    histogram: Mapping[float, int]
    error: str = ""


class TalliedSuite(NamedTuple):
    """A suite that has seen its `n_rows` rows."""

    suite: str
    n_rows: int
    results: tuple[tuple[ExpectationSpec, Counts], ...]


class Finding(BaseModel):
    """What one expectation found: a row of VALIDATIONS without run_id and validated_at. observed and allowed are JSON."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    suite: str
    position: int
    expectation: str
    column: str
    severity: Severity
    success: bool
    observed: str
    allowed: str

    @property
    def refuses(self) -> bool:
        """Return whether the gate must stay shut. A warning is only reported."""
        return self.severity == "critical" and not self.success


def read_finding(row: Mapping[str, object]) -> Finding:
    """Return the finding in a row of VALIDATIONS, which has more."""
    return Finding.model_validate({name: row[name] for name in Finding.model_fields})
