"""What must be true of the chunks of a draft.

New chunks come as rows: chunk (its id), n_tokens, n_chars, blank, norm (of the vector), new (true). Of published chunks that
stay, only their lengths are known; they were checked when they were new. Ids and the dimension of vectors are not checked here:
the schema of the draft's file guarantees them.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple

import pyarrow as pa

from expectations.findings import Finding
from expectations.lengths import Lengths
from expectations.profiles import Profile
from expectations.suites import run_suite
from expectations.tallies import Rows
from schemas.options.sections import GateOptions

if TYPE_CHECKING:
    from great_expectations.expectations import Expectation

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


def check_chunks(chunks: Chunks, limits: GateOptions, max_tokens: int, profile: Profile | None, n_chunks: int) -> list[Finding]:
    """Return what the suites `chunks` and `lengths` find in `chunks`, of which there should be `n_chunks`.

    `lengths` leaves out a chunk that is its whole document, because that document was not cut.
    """
    n_cut = sum(chunks.all.cut.values())
    cut = [_counted("n_tokens", chunks.all.cut)]
    return [
        *run_suite("chunks", _parts(chunks), chunks.n, chunks_suite(limits, max_tokens, profile, n_chunks), key="chunk"),
        *run_suite("lengths", cut, n_cut, lengths_suite(limits, max_tokens, n_cut)),
    ]


def _parts(chunks: Chunks) -> Iterator[Rows]:
    yield from map(Rows, chunks.new)
    yield _counted("n_tokens", chunks.staying.tokens)
    yield _counted("n_chars", chunks.staying.chars)
    unmeasured = {"blank": [False], "norm": pa.nulls(1, pa.float64()), "new": [False]}
    if chunks.staying.n:
        yield Rows(pa.table(unmeasured), pa.array([chunks.staying.n]))
    yield Rows(pa.table({"chunk_id": chunks.repeated}))
    yield Rows(pa.table({"chunk_id": pa.nulls(1, pa.string())}), pa.array([chunks.n - len(chunks.repeated)]))


def _counted(column: str, lengths: Mapping[int, int]) -> Rows:
    values, counts = pa.array(lengths.keys(), pa.int64()), pa.array(lengths.values(), pa.int64())
    return Rows(pa.table({column: values}), counts)


def chunks_suite(limits: GateOptions, max_tokens: int, profile: Profile | None, n_chunks: int) -> "list[Expectation]":
    """Return the expectations for the `n_chunks` chunks of a draft. `max_tokens` per chunk includes special tokens."""
    from great_expectations import expectations as gxe

    count: list[Expectation] = [gxe.ExpectTableRowCountToEqual(value=n_chunks)]
    if n_chunks == 0:
        return count
    return [*count, *_rows(limits, max_tokens), *_vectors(), *_drift(limits, profile, n_chunks)]


def lengths_suite(limits: GateOptions, max_tokens: int, n_cut: int) -> "list[Expectation]":
    """Return the expectations for the lengths of `n_cut` chunks, from documents with more than one chunk.

    If there are fewer than `limits.min_profile_chunks`, they only warn: a few short chunks are not an error.
    """
    from great_expectations import expectations as gxe

    severity = _severity(n_cut >= limits.min_profile_chunks)
    median = limits.tiny_tokens if limits.max_tiny_share <= MEDIAN else 1
    ranges = {
        "quantiles": [MEDIAN, MOST],
        "value_ranges": [[median, max_tokens], [max(median, limits.min_mean_tokens), max_tokens]],
    }
    statistics: list[Expectation] = [
        gxe.ExpectColumnMeanToBeBetween(
            column="n_tokens", min_value=limits.min_mean_tokens, max_value=max_tokens, severity=severity
        ),
        gxe.ExpectColumnQuantileValuesToBeBetween(column="n_tokens", quantile_ranges=ranges, severity=severity),
        gxe.ExpectColumnValuesToBeBetween(
            column="n_tokens", min_value=limits.tiny_tokens, mostly=1 - limits.max_tiny_share, severity=severity
        ),
    ]
    return statistics if n_cut else []


def _rows(limits: GateOptions, max_tokens: int) -> "list[Expectation]":
    from great_expectations import expectations as gxe

    return [
        gxe.ExpectColumnValuesToBeUnique(column="chunk_id"),
        gxe.ExpectColumnValuesToBeInSet(column="blank", value_set=[False]),
        gxe.ExpectColumnValuesToBeBetween(column="n_tokens", min_value=1, max_value=max_tokens),
        gxe.ExpectColumnValuesToBeBetween(column="n_chars", min_value=limits.min_chunk_chars),
    ]


def _vectors() -> "list[Expectation]":
    from great_expectations import expectations as gxe
    from great_expectations.expectations.row_conditions import Column

    new = Column("new") == True  # noqa: E712  a condition, not a comparison
    low, high = 1 - NORM_TOLERANCE, 1 + NORM_TOLERANCE
    return [
        gxe.ExpectColumnValuesToNotBeNull(column="norm", row_condition=new),
        gxe.ExpectColumnValuesToBeBetween(column="norm", min_value=low, max_value=high),
    ]


def _drift(limits: GateOptions, profile: Profile | None, n_chunks: int) -> "list[Expectation]":
    from great_expectations import expectations as gxe

    if profile is None or min(profile.n, n_chunks) < limits.min_profile_chunks:
        return []
    return [
        gxe.ExpectColumnKLDivergenceToBeLessThan(
            column="n_tokens",
            partition_object={"bins": list(profile.edges), "weights": list(profile.weights)},
            threshold=limits.max_kl_divergence,
            tail_weight_holdout=0,
            internal_weight_holdout=0,
            severity=_severity(not limits.accept_drift),
        )
    ]


def _severity(refuses: bool) -> Literal["critical", "warning"]:
    return "critical" if refuses else "warning"
