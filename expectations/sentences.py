"""Findings in plain words: what was observed, what is allowed, and what a user can do when the gate stays shut."""

import json
from collections.abc import Sequence
from typing import NamedTuple, TypedDict

from expectations.expected import BETWEEN, DRIFT, IN_SET, MEAN, NO_FALL, NOT_NULL, QUANTILES, ROWS, ROWS_BETWEEN, UNIQUE, Finding

REPORT_REMEDY = "this is a bug of Pagemill: report it with the output of `pagemill validations --json`"
REJECTS_REMEDY = "correct or exclude the rejected documents, or raise gate.max_reject_share"
NAMED = 3
"""How many rows a sentence names, at most."""


class Words(NamedTuple):
    """The texts for an expectation: when it holds, when it fails, and what to do then. Braces stand for a finding's values."""

    holds: str
    fails: str
    remedy: str = REPORT_REMEDY


def _make_membership_words(rows: str) -> Words:
    missing = f"{{n}} of {{of}} {rows} belong to a document that does not exist, none allowed{{such}}"
    return Words(f"all {{of}} {rows} belong to a document", missing)


LENGTHS = (
    "{n} of {of} chunks of documents that were cut have fewer than {min_value} tokens, {others} allowed (gate.max_tiny_share)"
)
MEAN_LENGTH = (
    "chunks of documents that were cut have {observed} tokens on average, "
    "{min_value} to {max_value} allowed (gate.min_mean_tokens)"
)
QUANTILE_LENGTHS = (
    "of the chunks of documents that were cut, half have at most {median} tokens, {median_range} allowed, "
    "and 95 % at most {most}, {most_range} allowed"
)
DRIFTED = (
    "chunk lengths drifted by {observed} nats from those of the last generation, {threshold} allowed (gate.max_kl_divergence)"
)
REJECTED = "{n} of {of} documents rejected, {rejects} allowed (gate.max_reject_share)"

PERSONAL = "personal data was found at {observed} places, {places} allowed (gate.max_pii_findings)"

SEARCHED = (
    "{metric} of {n} questions fell from {before} to {after}, by {fall} and more than {least} with a confidence of {confidence}, "
    "{max_drop} allowed (gate.max_drop)"
)
HELD = "{metric} of {n} questions went from {before} to {after}, a fall of {max_drop} is allowed (gate.max_drop)"

RECALLED = (
    "the index finds {recall} of the {k} chunks nearest to each of {n} chunks, at least {min_value} expected (gate.min_recall)"
)

WORDS: dict[tuple[str, str, str], Words] = {
    ("documents", "", ROWS): Words(
        "the draft has {observed} documents, as many as the source",
        "the draft has {observed} documents, but the source has {value}",
        "run the refresh again; if this message comes back, report it as a bug of Pagemill",
    ),
    ("documents", "document_id", UNIQUE): Words(
        "each of {of} documents occurs once", "{n} of {of} documents occur more than once, none allowed{such}"
    ),
    ("documents", "accounted", IN_SET): Words(
        "all {of} documents have chunks, or a reason for having none",
        "{n} of {of} documents have neither chunks nor a reason for having none, none allowed{such}",
    ),
    ("documents", "coverage", BETWEEN): Words(
        "the chunks of every new document cover at least {least_share} of its text (gate.min_coverage)",
        "the chunks of {n} of {of} documents cover less than {least_share} of the text, none allowed (gate.min_coverage){such}",
        "choose another chunking strategy, or lower gate.min_coverage",
    ),
    ("documents", "rejected", IN_SET): Words(REJECTED, REJECTED, REJECTS_REMEDY),
    ("copies", "copied", IN_SET): Words(
        "{n} of {of} new documents are copies of documents that were there before, {copies} allowed (gate.max_copy_share)",
        "{n} of {of} new documents are copies of documents that were there before, {copies} allowed (gate.max_copy_share){such}",
        "take the copies out of the source, exclude their folder (plan.exclude), or allow them with --set gate.max_copy_share=1",
    ),
    ("personal_data", "", ROWS_BETWEEN): Words(
        PERSONAL,
        PERSONAL,
        "set pii.action to redact, exclude documents that have much (`pagemill findings`), or raise gate.max_pii_findings",
    ),
    ("chunks", "", ROWS): Words(
        "there are {observed} chunks, as many as the documents should have",
        "there are {observed} chunks, but the documents should have {value}",
    ),
    ("chunks", "chunk_id", UNIQUE): Words(
        "each of {of} chunks occurs once", "{n} of {of} chunks occur more than once, none allowed{such}"
    ),
    ("chunks", "blank", IN_SET): Words(
        "none of {of} chunks is blank",
        "{n} of {of} chunks are blank, none allowed{such}",
        "exclude the document that it belongs to",
    ),
    ("chunks", "n_tokens", BETWEEN): Words(
        "all {of} chunks have {min_value} to {max_value} tokens",
        "{n} of {of} chunks have fewer than {min_value} or more than {max_value} tokens, none allowed{such}",
    ),
    ("chunks", "n_chars", BETWEEN): Words(
        "all {of} chunks have at least {min_value} characters (gate.min_chunk_chars)",
        "{n} of {of} chunks have fewer than {min_value} characters, none allowed (gate.min_chunk_chars){such}",
        "set chunk.min_tokens where the strategy has it, or lower gate.min_chunk_chars",
    ),
    ("chunks", "norm", NOT_NULL): Words(
        "the vectors of all new chunks hold only numbers",
        "the vectors of {n} of {of} new chunks hold values that are not numbers, none allowed{such}",
        "embed on another device or with --set embed.dtype=float32, or report it as a bug of Pagemill",
    ),
    ("chunks", "norm", BETWEEN): Words(
        "the vectors of all new chunks have length 1 ({min_value} to {max_value})",
        "the vectors of {n} of {of} chunks do not have length 1, {min_value} to {max_value} allowed{such}",
        "embed on another device or with --set embed.dtype=float32, or report it as a bug of Pagemill",
    ),
    ("chunks", "n_tokens", DRIFT): Words(
        DRIFTED, DRIFTED, "if the documents changed on purpose, publish once with --accept-drift"
    ),
    ("lengths", "n_tokens", MEAN): Words(
        MEAN_LENGTH, MEAN_LENGTH, "make chunks larger (chunk.size_tokens), or lower gate.min_mean_tokens"
    ),
    ("lengths", "n_tokens", QUANTILES): Words(
        QUANTILE_LENGTHS,
        QUANTILE_LENGTHS,
        "make chunks larger (chunk.size_tokens), or set gate.min_mean_tokens, gate.tiny_tokens or gate.max_tiny_share",
    ),
    ("lengths", "n_tokens", BETWEEN): Words(
        LENGTHS, LENGTHS, "make chunks larger (chunk.size_tokens), or set gate.tiny_tokens or gate.max_tiny_share"
    ),
    ("elements_references", "known", IN_SET): _make_membership_words("elements"),
    ("figures_references", "known", IN_SET): _make_membership_words("figures"),
    ("figures_references", "element_id", UNIQUE): Words(
        "each of {of} figures occurs once", "{n} of {of} figures occur more than once, none allowed{such}"
    ),
    ("retrieval", "", NO_FALL): Words(
        HELD, SEARCHED, "look at the lost questions; if the change is wanted, publish once with --max-drop 1"
    ),
    ("chunks_references", "known", IN_SET): _make_membership_words("chunks"),
    ("vector_index", "", BETWEEN): Words(
        RECALLED, RECALLED, "the vectors lie too close together for the index: lower gate.min_recall, or choose another embedder"
    ),
}
"""By suite, column and expectation."""


def describe_finding(finding: Finding) -> str:
    """Return a finding as one plain line. Names of rows are not escaped.

    >>> found = Finding(suite="documents", position=0, expectation=IN_SET, column="rejected", severity="critical", success=False,
    ...                 observed='{"unexpected": 15, "of": 41}', allowed='{"rejects": "30 %"}')
    >>> describe_finding(found)
    '15 of 41 documents rejected, 30 % allowed (gate.max_reject_share)'
    """
    observed = json.loads(finding.observed)
    if isinstance(observed, dict) and "error" in observed:
        about = f"{finding.suite}.{finding.column}" if finding.column else finding.suite
        return f"the check of {about} could not be made: {observed['error']}"
    words = WORDS.get((finding.suite, finding.column, finding.expectation))
    if words is None:
        return f"{finding.suite} {finding.column}: {finding.expectation} observed {finding.observed}, allowed {finding.allowed}"
    told = words.holds if finding.success else words.fails
    return told.format_map(_make_sentence_values(finding.column, observed, json.loads(finding.allowed)))


def suggest_remedy(finding: Finding) -> str:
    """Return what the user can do about a finding that refuses a draft.

    >>> drift = Finding(suite="chunks", position=0, expectation=DRIFT, column="n_tokens", severity="critical", success=False,
    ...                 observed="0.48", allowed='{"threshold": 0.25}')
    >>> suggest_remedy(drift)
    'if the documents changed on purpose, publish once with --accept-drift'
    """
    words = WORDS.get((finding.suite, finding.column, finding.expectation))
    broken = finding.observed.startswith('{"error"')
    return words.remedy if words and not broken else REPORT_REMEDY


def list_refusals(findings: Sequence[Finding]) -> list[str]:
    """Return one line for each finding that keeps the gate shut: what was observed, what is allowed, what to do."""
    return [f"{describe_finding(found)}; {suggest_remedy(found)}" for found in findings if found.refuses]


def list_warnings(findings: Sequence[Finding]) -> list[str]:
    """Return one line for each finding that failed but does not keep the gate shut."""
    return [describe_finding(found) for found in findings if not found.success and not found.refuses]


class QuantileRanges(TypedDict):
    """The ranges that quantiles may lie in, in their order."""

    value_ranges: list[tuple[float, float]]


class Allowed(TypedDict, total=False):
    """What a finding allows, of which sentences are made; every value is named in them as it is."""

    mostly: float
    min_value: float
    quantile_ranges: QuantileRanges


def _make_sentence_values(column: str, observed: object, allowed: Allowed) -> dict[str, str]:
    values = {name: _format_number(value) for name, value in allowed.items()}
    if "mostly" in allowed:
        values["others"] = _format_percent(1 - allowed["mostly"])
    if "min_value" in allowed:
        values["least_share"] = _format_percent(allowed["min_value"])
    if isinstance(observed, dict) and "unexpected" in observed:
        return values | {
            "n": str(observed["unexpected"]),
            "of": str(observed["of"]),
            "such": _list_examples(column, observed.get("examples", [])),
        }
    if column == "" and isinstance(observed, dict):
        return values | {name: _format_number(value) for name, value in observed.items()}
    return values | {"observed": _format_number(observed)} | _format_quantiles(observed, allowed.get("quantile_ranges"))


def _format_quantiles(observed: object, ranges: QuantileRanges | None) -> dict[str, str]:
    if ranges is None or not isinstance(observed, dict):
        return {}
    median, most = observed["values"]
    spans = [f"{_format_number(low)} to {_format_number(high)}" for low, high in ranges["value_ranges"]]
    return {"median": _format_number(median), "most": _format_number(most), "median_range": spans[0], "most_range": spans[1]}


def _list_examples(column: str, examples: Sequence[object]) -> str:
    shown = [_format_example(column, example) for example in examples[:NAMED]]
    return f", such as {', '.join(shown)}" if shown else ""


def _format_example(column: str, example: object) -> str:
    if not isinstance(example, dict):
        return str(example)
    name = next((value for key, value in example.items() if key != column), example.get(column))
    value = example.get(column)
    told = isinstance(value, int | float) and not isinstance(value, bool) and name is not value
    return f"{name} ({_format_number(value)})" if told else str(name)


def _format_number(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) and value < 1e4 else str(value)


def _format_percent(share: float) -> str:
    return f"{share * 100:.4g} %"
