"""What must be true of the chunks of a draft.

New chunks come as rows: chunk (its id), n_tokens, n_chars, blank, norm (of the vector), new (true). Of published chunks that
stay, only their lengths are known; they were checked when they were new. Ids and the dimension of vectors are not checked here:
the schema of the draft's file guarantees them.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import pyarrow as pa

from expectations.expected import (
    BETWEEN,
    DRIFT,
    IN_SET,
    MEAN,
    NOT_NULL,
    QUANTILES,
    ROWS,
    UNIQUE,
    ExpectationSpec,
    Severity,
    TalliedSuite,
)
from expectations.lengths import Lengths, Profile
from expectations.tallies import Rows, tally_suite
from schemas.options.sections import GateOptions

NORM_TOLERANCE = 1e-3
MEDIAN, MOST = 0.5, 0.95


class Chunks(NamedTuple):
    """The chunks of a draft: the `new` ones in parts, the lengths of those that are `staying` and of `all`, how many are there.

    `repeated` are the ids that are there more than once, each as often as it is there.
    """

    new: Iterable[pa.Table]
    staying: Lengths
    all: Lengths
    n: int
    repeated: pa.Array


def tally_chunks(
    chunks: Chunks, limits: GateOptions, max_tokens: int, profile: Profile | None, n_chunks: int
) -> tuple[TalliedSuite, TalliedSuite]:
    """Look at `chunks`, of which there should be `n_chunks`, for the suites `chunks` and `lengths`.

    `lengths` leaves out a chunk that is its whole document, because that document was not cut.
    """
    n_cut = sum(chunks.all.cut.values())
    cut = [_make_rows_of_lengths("n_tokens", chunks.all.cut)]
    return (
        tally_suite(
            "chunks", _make_row_parts(chunks), chunks.n, make_chunks_suite(limits, max_tokens, profile, n_chunks), key="chunk"
        ),
        tally_suite("lengths", cut, n_cut, make_lengths_suite(limits, max_tokens, n_cut)),
    )


def _make_row_parts(chunks: Chunks) -> Iterator[Rows]:
    yield from map(Rows, chunks.new)
    yield _make_rows_of_lengths("n_tokens", chunks.staying.tokens)
    yield _make_rows_of_lengths("n_chars", chunks.staying.chars)
    unmeasured = {"blank": [False], "norm": pa.nulls(1, pa.float64()), "new": [False]}
    if chunks.staying.n:
        yield Rows(pa.table(unmeasured), pa.array([chunks.staying.n]))
    yield Rows(pa.table({"chunk_id": chunks.repeated}))
    yield Rows(pa.table({"chunk_id": pa.nulls(1, pa.string())}), pa.array([chunks.n - len(chunks.repeated)]))


def _make_rows_of_lengths(column: str, lengths: Mapping[int, int]) -> Rows:
    values, counts = pa.array(lengths.keys(), pa.int64()), pa.array(lengths.values(), pa.int64())
    return Rows(pa.table({column: values}), counts)


def make_chunks_suite(limits: GateOptions, max_tokens: int, profile: Profile | None, n_chunks: int) -> list[ExpectationSpec]:
    """Return the expectations for the `n_chunks` chunks of a draft. `max_tokens` per chunk includes special tokens."""
    count: list[ExpectationSpec] = [ExpectationSpec(ROWS, arguments={"value": n_chunks})]
    if n_chunks == 0:
        return count
    return [
        *count,
        *_expect_of_rows(limits, max_tokens),
        *_expect_of_vectors(),
        *_expect_no_drift(limits, profile, n_chunks),
    ]


def make_lengths_suite(limits: GateOptions, max_tokens: int, n_cut: int) -> list[ExpectationSpec]:
    """Return the expectations for the lengths of `n_cut` chunks, from documents with more than one chunk.

    If there are fewer than `limits.min_profile_chunks`, they only warn: a few short chunks are not an error.
    """
    severity = _choose_severity(n_cut >= limits.min_profile_chunks)
    median = limits.tiny_tokens if limits.max_tiny_share <= MEDIAN else 1
    ranges = {
        "quantiles": [MEDIAN, MOST],
        "value_ranges": [[median, max_tokens], [max(median, limits.min_mean_tokens), max_tokens]],
    }
    mean = {"min_value": limits.min_mean_tokens, "max_value": max_tokens}
    tiny = {"min_value": limits.tiny_tokens, "mostly": 1 - limits.max_tiny_share}
    statistics = [
        ExpectationSpec(MEAN, "n_tokens", mean, severity),
        ExpectationSpec(QUANTILES, "n_tokens", {"quantile_ranges": ranges}, severity),
        ExpectationSpec(BETWEEN, "n_tokens", tiny, severity),
    ]
    return statistics if n_cut else []


def _expect_of_rows(limits: GateOptions, max_tokens: int) -> list[ExpectationSpec]:
    return [
        ExpectationSpec(UNIQUE, "chunk_id"),
        ExpectationSpec(IN_SET, "blank", {"value_set": [False]}),
        ExpectationSpec(BETWEEN, "n_tokens", {"min_value": 1, "max_value": max_tokens}),
        ExpectationSpec(BETWEEN, "n_chars", {"min_value": limits.min_chunk_chars}),
    ]


def _expect_of_vectors() -> list[ExpectationSpec]:
    least, most = 1 - NORM_TOLERANCE, 1 + NORM_TOLERANCE
    return [
        ExpectationSpec(NOT_NULL, "norm", where=("new", True)),
        ExpectationSpec(BETWEEN, "norm", {"min_value": least, "max_value": most}),
    ]


def _expect_no_drift(limits: GateOptions, profile: Profile | None, n_chunks: int) -> list[ExpectationSpec]:
    if profile is None or min(profile.n, n_chunks) < limits.min_profile_chunks:
        return []
    divergence = {
        "partition_object": {"bins": list(profile.edges), "weights": list(profile.weights)},
        "threshold": limits.max_kl_divergence,
        "tail_weight_holdout": 0,
        "internal_weight_holdout": 0,
    }
    return [ExpectationSpec(DRIFT, "n_tokens", divergence, _choose_severity(not limits.accept_drift))]


def _choose_severity(refuses: bool) -> Severity:
    return "critical" if refuses else "warning"
