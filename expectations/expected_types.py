"""The types of expectations that the suites use, as Great Expectations names them."""

ROWS = "expect_table_row_count_to_equal"
NOT_NULL = "expect_column_values_to_not_be_null"
UNIQUE = "expect_column_values_to_be_unique"
IN_SET = "expect_column_values_to_be_in_set"
BETWEEN = "expect_column_values_to_be_between"
MEAN = "expect_column_mean_to_be_between"
QUANTILES = "expect_column_quantile_values_to_be_between"
NO_FALL = "expect_paired_difference_to_be_above"
"""Pagemill's own: Great Expectations has none that compares two searches."""

DRIFT = "expect_column_kl_divergence_to_be_less_than"
