"""Every expectation of every suite can fail, and has a plain sentence for either case."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from expectations.chunks import make_chunks_suite, make_lengths_suite, tally_chunks
from expectations.documents import (
    make_copies_suite,
    make_documents_suite,
    make_references_suite,
    tally_copies,
    tally_documents,
)
from expectations.expected import (
    BETWEEN,
    DRIFT,
    IN_SET,
    MEAN,
    NOT_NULL,
    QUANTILES,
    ROWS,
    ROWS_BETWEEN,
    UNIQUE,
    ExpectationSpec,
    Finding,
)
from expectations.judging import judge_expectations
from expectations.lengths import make_length_profile
from expectations.personal_data import make_personal_data_suite, tally_personal_data
from expectations.sentences import (
    REPORT_REMEDY,
    WORDS,
    describe_finding,
    list_refusals,
    list_warnings,
)
from expectations.sentences import suggest_remedy as remedy_of
from schemas.options.sections import GateOptions
from tests.expectations import test_chunks_suite as chunks
from tests.expectations import test_documents_suite as documents
from tests.expectations.frames import as_chunks, as_table, counted, references

Key = tuple[str, str, str]

SUITES = {key for key in WORDS if key[0] not in ("retrieval", "vector_index")}
"""Those of tables; `tasks.evaluate.comparison` and the index gate test what the gate says of retrieval and of the index."""

PROFILE = make_length_profile(counted(chunks.drawn_lengths(400)), chunks.MAX_TOKENS)
ELEMENTS = pd.DataFrame({"element_id": ["e0", "e1"], "document_id": ["d0", "d1"]})


def of_chunks(frame: pd.DataFrame, **given: Any) -> list[Finding]:
    return judge_expectations(
        tally_chunks(as_chunks(frame), GateOptions(), chunks.MAX_TOKENS, PROFILE, given.get("n_chunks", len(frame)))
    )


def of_documents(frame: pd.DataFrame, n: int = 12) -> list[Finding]:
    return judge_expectations([tally_documents(as_table(frame), GateOptions(), n)])


def of_copies(n_copies: int) -> list[Finding]:
    new = pa.table({"path": [f"{at}.pdf" for at in range(12)], "sha256": list("abcdefghijkl")})
    return judge_expectations(
        [tally_copies(new, pa.chunked_array([list("lkjihgfedcba")[:n_copies]], pa.string()), GateOptions())]
    )


def of_personal_data(most: int | None) -> list[Finding]:
    return judge_expectations([tally_personal_data(12, GateOptions(max_pii_findings=most))])


def of_references(table: str, **columns: list[str]) -> list[Finding]:
    return references(table, ELEMENTS.assign(**columns), "element_id", {"d0", "d1"})


def with_lengths(*lengths: int) -> list[Finding]:
    return of_chunks(chunks.healthy().assign(n_tokens=np.resize(lengths, 400)))


HEALTHY: dict[str, Callable[[], list[Finding]]] = {
    "documents": lambda: of_documents(documents.healthy()),
    "copies": lambda: of_copies(6),
    "personal_data": lambda: of_personal_data(None),
    "chunks": lambda: of_chunks(chunks.healthy()),
    "elements_references": lambda: of_references("elements"),
    "figures_references": lambda: of_references("figures"),
    "chunks_references": lambda: of_references("chunks"),
}

BROKEN: dict[Key, tuple[Callable[[], list[Finding]], str]] = {
    ("documents", "", ROWS): (
        lambda: of_documents(documents.healthy(), 13),
        "the draft has 12 documents, but the source has 13",
    ),
    ("documents", "document_id", UNIQUE): (
        lambda: of_documents(documents.with_last(document_id="d0")),
        "2 of 12 documents occur more than once, none allowed, such as 0.pdf, 11.pdf",
    ),
    ("documents", "accounted", IN_SET): (
        lambda: of_documents(documents.with_last(n_chunks=0)),
        "1 of 12 documents have neither chunks nor a reason for having none, none allowed, such as 11.pdf",
    ),
    ("documents", "coverage", BETWEEN): (
        lambda: of_documents(documents.with_last(coverage=0.9)),
        "the chunks of 1 of 12 documents cover less than 98 % of the text, none allowed (gate.min_coverage), "
        "such as 11.pdf (0.9)",
    ),
    ("documents", "rejected", IN_SET): (
        lambda: of_documents(documents.healthy(41, 15), 41),
        "15 of 41 documents rejected, 30 % allowed (gate.max_reject_share)",
    ),
    ("copies", "copied", IN_SET): (
        lambda: of_copies(7),
        "7 of 12 new documents are copies of documents that were there before, 50 % allowed (gate.max_copy_share), "
        "such as 5.pdf, 6.pdf, 7.pdf",
    ),
    ("personal_data", "", ROWS_BETWEEN): (
        lambda: of_personal_data(11),
        "personal data was found at 12 places, 11 allowed (gate.max_pii_findings)",
    ),
    ("chunks", "", ROWS): (
        lambda: of_chunks(chunks.healthy(), n_chunks=401),
        "there are 400 chunks, but the documents should have 401",
    ),
    ("chunks", "chunk_id", UNIQUE): (
        lambda: of_chunks(chunks.with_value("chunk_id", f"{4:032x}")),
        f"2 of 400 chunks occur more than once, none allowed, such as {4:032x}, {4:032x}",
    ),
    ("chunks", "blank", IN_SET): (
        lambda: of_chunks(chunks.with_value("blank", True)),
        f"1 of 400 chunks are blank, none allowed, such as {3:032x}",
    ),
    ("chunks", "n_tokens", BETWEEN): (
        lambda: of_chunks(chunks.with_value("n_tokens", 257)),
        f"1 of 400 chunks have fewer than 1 or more than 256 tokens, none allowed, such as {3:032x} (257)",
    ),
    ("chunks", "n_chars", BETWEEN): (
        lambda: of_chunks(chunks.with_value("n_chars", 0)),
        f"1 of 400 chunks have fewer than 1 characters, none allowed (gate.min_chunk_chars), such as {3:032x} (0)",
    ),
    ("chunks", "norm", NOT_NULL): (
        lambda: of_chunks(chunks.with_value("norm", np.nan)),
        f"the vectors of 1 of 201 new chunks hold values that are not numbers, none allowed, such as {3:032x}",
    ),
    ("chunks", "norm", BETWEEN): (
        lambda: of_chunks(chunks.with_value("norm", 1.25)),
        f"the vectors of 1 of 400 chunks do not have length 1, 0.999 to 1.001 allowed, such as {3:032x} (1.25)",
    ),
    ("chunks", "n_tokens", DRIFT): (
        lambda: with_lengths(20),
        "chunk lengths drifted by 6.704 nats from those of the last generation, 0.25 allowed (gate.max_kl_divergence)",
    ),
    ("lengths", "n_tokens", MEAN): (
        lambda: with_lengths(9),
        "chunks of documents that were cut have 9 tokens on average, 10 to 256 allowed (gate.min_mean_tokens)",
    ),
    ("lengths", "n_tokens", QUANTILES): (
        lambda: with_lengths(256, *[9] * 24),
        "of the chunks of documents that were cut, half have at most 9 tokens, 8 to 256 allowed, "
        "and 95 % at most 9, 10 to 256 allowed",
    ),
    ("lengths", "n_tokens", BETWEEN): (
        lambda: with_lengths(200, *[5] * 2),
        "266 of 400 chunks of documents that were cut have fewer than 8 tokens, 50 % allowed (gate.max_tiny_share)",
    ),
    ("elements_references", "known", IN_SET): (
        lambda: of_references("elements", document_id=["d0", "gone"]),
        "1 of 2 elements belong to a document that does not exist, none allowed, such as e1",
    ),
    ("figures_references", "known", IN_SET): (
        lambda: of_references("figures", document_id=["d0", "gone"]),
        "1 of 2 figures belong to a document that does not exist, none allowed, such as e1",
    ),
    ("figures_references", "element_id", UNIQUE): (
        lambda: of_references("figures", element_id=["e0", "e0"]),
        "2 of 2 figures occur more than once, none allowed, such as e0, e0",
    ),
    ("chunks_references", "known", IN_SET): (
        lambda: of_references("chunks", document_id=["d0", "gone"]),
        "1 of 2 chunks belong to a document that does not exist, none allowed, such as e1",
    ),
}
"""A draft that fails each expectation, and what is said of it."""


def key_of(finding: Finding) -> Key:
    return finding.suite, finding.column, finding.expectation


def all_expectations(limits: GateOptions, n: int) -> Iterator[tuple[str, ExpectationSpec]]:
    """Every expectation of every suite."""
    yield from (("documents", found) for found in make_documents_suite(limits, n))
    yield from (("copies", found) for found in make_copies_suite(limits, n))
    yield from (("personal_data", found) for found in make_personal_data_suite(limits))
    yield from (("chunks", found) for found in make_chunks_suite(limits, chunks.MAX_TOKENS, PROFILE, n))
    yield from (("lengths", found) for found in make_lengths_suite(limits, chunks.MAX_TOKENS, n))
    for table in ("elements", "figures", "chunks"):
        yield from ((f"{table}_references", found) for found in make_references_suite(table, "element_id"))


def test_every_expectation_has_words_and_a_draft_that_fails_it() -> None:
    listed = {(suite, found.column, found.type) for suite, found in all_expectations(GateOptions(), 400)}
    assert listed == SUITES == BROKEN.keys()


@pytest.mark.parametrize("key", BROKEN, ids=".".join)
def test_an_expectation_that_fails_is_told_with_what_is_observed_allowed_and_can_be_done(key: Key) -> None:
    check, said = BROKEN[key]
    (finding,) = [found for found in check() if key_of(found) == key]
    assert not finding.success
    assert describe_finding(finding) == said
    assert f"{said}; {remedy_of(finding)}" in list_refusals([finding])
    assert len(remedy_of(finding)) > 20


def test_an_expectation_that_holds_is_told_too() -> None:
    findings = [found for check in HEALTHY.values() for found in check()]
    assert {key_of(found) for found in findings} == SUITES
    for found in findings:
        assert found.success
        assert not re.search(r"expect_|[{}]|\bnull\b", describe_finding(found)), describe_finding(found)
    assert list_refusals(findings) == list_warnings(findings) == []


@settings(max_examples=25)
@given(
    n=st.integers(1, 30),
    n_rejected=st.integers(0, 30),
    share=st.floats(0, 1),
    coverage=st.floats(0, 1),
    least=st.floats(0, 1),
)
def test_whatever_a_suite_finds_is_told_in_plain_words(
    n: int, n_rejected: int, share: float, coverage: float, least: float
) -> None:
    frame = documents.healthy(n, min(n, n_rejected))
    frame["coverage"] = frame["coverage"].where(frame["coverage"].isna(), coverage)
    findings = judge_expectations([tally_documents(as_table(frame), GateOptions(max_reject_share=share, min_coverage=least), n)])
    for found in findings:
        assert not re.search(r"expect_|[{}]|\bnull\b|nan", describe_finding(found))
    (rejects,) = [found for found in findings if found.column == "rejected"]
    assert describe_finding(rejects).startswith(f"{min(n, n_rejected)} of {n} documents rejected, ")


def test_a_check_that_could_not_be_made_says_so() -> None:
    (finding,) = [
        found for found in of_chunks(chunks.healthy().assign(new=True).drop(columns="blank")) if found.column == "blank"
    ]
    (line,) = list_refusals([finding])
    assert line.startswith("the check of chunks.blank could not be made: ")
    assert line.endswith(REPORT_REMEDY)


def test_a_finding_of_an_older_pagemill_is_told_by_its_raw_names() -> None:
    old = Finding(
        suite="documents",
        position=6,
        expectation="expect_column_sum_to_be_between",
        column="rejected",
        severity="critical",
        success=False,
        observed="15",
        allowed=json.dumps({"max_value": 12.0}),
    )
    assert "observed 15, allowed" in describe_finding(old)


def test_a_name_with_braces_is_told_as_it_is() -> None:
    frame = documents.with_last(path="{n} {nothing}.pdf", coverage=0.5)
    (finding,) = [found for found in of_documents(frame) if found.column == "coverage"]
    assert "{n} {nothing}.pdf (0.5)" in describe_finding(finding)
