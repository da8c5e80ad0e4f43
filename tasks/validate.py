"""Validate: hold a draft against the expectations; what they find is logged, and a failure keeps the gate shut."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from expectations.chunks import check_chunks
from expectations.documents import check_documents
from expectations.profiles import Profile, length_profile
from expectations.references import check_references
from expectations.remedies import refusals
from expectations.suites import Finding
from schemas.conform import from_rows
from schemas.errors import GateError
from schemas.validations import VALIDATIONS
from tasks.adapters import lance, published
from tasks.adapters.published import Generation
from tasks.draft import CHECKS, Draft
from tasks.run import Run

if TYPE_CHECKING:
    from pandas import DataFrame

LENGTHS = pa.schema(
    [
        ("chunk_id", pa.string()),
        ("document_id", pa.string()),
        ("n_tokens", pa.int32()),
        ("n_chars", pa.int64()),
        ("blank", pa.bool_()),
        ("norm", pa.float64()),
        ("dimension", pa.int64()),
        ("new", pa.bool_()),
    ]
)
"""One row per chunk of the generation to be: what the suites look at."""

NAMED = 5
"""Rejected documents that a refusal names."""


class Lengths(NamedTuple):
    """All chunks' lengths in tokens, the profile that they were held against, and the longest that is allowed."""

    of_chunks: Any
    reference: Profile | None
    max_tokens: int


class Verdict:
    """What the gate found in a draft. Plain on purpose: Prefect looks into models and collections."""

    def __init__(self, findings: list[Finding], lengths: Lengths, rejected: list[str]) -> None:
        """`rejected` names the documents that this run rejected, a line each."""
        self.findings = findings
        self.lengths = lengths.of_chunks
        self.reference = lengths.reference
        self.rejected = rejected
        self.profile = length_profile(lengths.of_chunks, lengths.max_tokens) if len(lengths.of_chunks) else None

    @property
    def refused(self) -> list[str]:
        """What keeps the gate shut, one line for each expectation."""
        return refusals(self.findings)

    def check(self, corpus: str) -> None:
        """Keep the gate shut if an expectation of critical severity failed.

        Raises:
            GateError: names each with what was observed, is allowed and can be done, and the first rejected documents.
        """
        if not self.refused:
            return
        named = [f"rejected: {line}" for line in self.rejected[:NAMED]]
        more = [f"and {len(self.rejected) - NAMED} more documents"] if len(self.rejected) > NAMED else []
        lines = [*self.refused, *named, *more, f"see `pagemill validations --corpus {corpus}`"]
        raise GateError("\n  ".join(["the draft is refused, nothing was published:", *lines]))

    def gate(self) -> dict[str, Any]:
        """Return the outcome as it is kept with the generation."""
        failed = [finding.sentence() for finding in self.findings if not finding.success]
        return {"expectations": len(self.findings), "warnings": failed}


def validate(run: Run, draft: Draft, n_documents: int) -> Verdict:
    """Hold the draft, which should account for the source's `n_documents`, against all suites.

    The findings are logged in `validations`, whatever they are; nothing else is written.
    """
    live = published.newest(run.corpus)
    lengths = chunk_lengths(run, draft, live)
    reference = Profile.model_validate(live.profile) if live and live.profile and live.recipe == run.recipes.whole else None
    findings = [
        *check_documents(document_outcomes(run, draft, live), run.options.gate, n_documents),
        *check_chunks(
            lengths.to_pandas(),
            run.options.gate,
            run.recipes.chunk_tokens,
            run.recipes.dimension,
            reference,
            expected_chunks(run, draft, live),
        ),
        *_check_references(draft),
    ]
    log_findings(run, findings)
    measured = Lengths(lengths["n_tokens"].to_numpy(), reference, run.recipes.chunk_tokens)
    return Verdict(findings, measured, rejected_documents(draft))


def rejected_documents(draft: Draft) -> list[str]:
    """Return a line for each document that the draft rejects as a whole: path, what is wrong, what to do."""
    rows = _read(draft, "rejects", ["path", "page_number", "message", "remedy"]).to_pylist()
    return [f"{row['path']}: {row['message']}; {row['remedy']}" for row in rows if row["page_number"] == 0]


def load_expectations() -> None:
    """Load Great Expectations, which takes seconds, before it is needed."""
    from great_expectations import expectations  # noqa: F401  loaded for whoever comes next


def log_findings(run: Run, findings: list[Finding]) -> None:
    """Append the findings to the corpus's validations."""
    now = datetime.now(UTC)
    rows = [{**finding.model_dump(), "run_id": run.run_id, "validated_at": now} for finding in findings]
    lance.append_log(run.corpus, "validations", from_rows(rows, VALIDATIONS))


def _check_references(draft: Draft) -> Iterator[Finding]:
    documents = _read(draft, "documents", ["document_id"])["document_id"].to_pylist()
    for table, key in (("elements", "element_id"), ("figures", "element_id"), ("chunks", "chunk_id")):
        yield from check_references(table, _read(draft, table, [key, "document_id"]).to_pandas(), key, documents)


def _read(draft: Draft, table: str, columns: list[str]) -> pa.Table:
    with pa.memory_map(str(draft.file(table))) as source:
        return pa.ipc.open_file(source).read_all().select(columns)


def chunk_lengths(run: Run, draft: Draft, live: Generation | None) -> pa.Table:
    """Return LENGTHS of the draft's chunks and of the published ones that stay."""
    with pa.memory_map(str(draft.file("chunks"))) as source, pa.ipc.open_file(source) as reader:
        tables = [_lengths(reader.get_batch(index)) for index in range(reader.num_record_batches)]
    if live is not None:
        tables.append(_staying_lengths(run, draft, live))
    return pa.concat_tables([LENGTHS.empty_table(), *tables])


def expected_chunks(run: Run, draft: Draft, live: Generation | None) -> int:
    """Return how many chunks the documents of the generation to be say that they have."""
    drafted = pc.sum(_read(draft, "checks", ["n_chunks"])["n_chunks"]).as_py() or 0
    if live is None:
        return int(drafted)
    rows = published.read_columns(run.corpus, live, "documents", ["document_id", "n_chunks"])
    replaced = pc.is_in(rows["document_id"], value_set=pa.array(draft.scope("chunks"), pa.string()))
    return int(drafted) + int(pc.sum(rows.filter(pc.invert(replaced))["n_chunks"]).as_py() or 0)


def _lengths(batch: pa.RecordBatch) -> pa.Table:
    vectors = batch["vector"]
    dimension = vectors.type.list_size
    norms = np.linalg.norm(vectors.flatten().to_numpy(zero_copy_only=False).reshape(-1, dimension), axis=1)
    n = batch.num_rows
    columns = [
        batch["chunk_id"],
        batch["document_id"],
        batch["n_tokens"],
        pc.utf8_length(batch["text"]),
        pc.equal(pc.utf8_length(pc.utf8_trim_whitespace(batch["text"])), 0),
        norms.astype("float64"),
        pa.repeat(dimension, n),
        pa.repeat(True, n),
    ]
    return pa.table(dict(zip(LENGTHS.names, columns, strict=True))).cast(LENGTHS)


def _staying_lengths(run: Run, draft: Draft, live: Generation) -> pa.Table:
    columns = ["chunk_id", "document_id", "n_tokens", "start_char", "end_char"]
    rows = published.read_columns(run.corpus, live, "chunks", columns)
    stays = pc.invert(pc.is_in(rows["document_id"], value_set=pa.array(draft.scope("chunks"), pa.string())))
    rows = rows.filter(stays)
    n = rows.num_rows
    kept = [rows["chunk_id"], rows["document_id"], rows["n_tokens"], pc.subtract(rows["end_char"], rows["start_char"])]
    flags = [pa.repeat(False, n), pa.nulls(n, pa.float64()), pa.nulls(n, pa.int64()), pa.repeat(False, n)]
    return pa.table(dict(zip(LENGTHS.names, [*kept, *flags], strict=True))).cast(LENGTHS)


def document_outcomes(run: Run, draft: Draft, live: Generation | None) -> "DataFrame":
    """Return one row per document of the source: what the draft makes of it, or what is published and stays."""
    import pandas

    planned = _read(draft, "checks", CHECKS.names).to_pylist()
    rows = [
        {
            **_outcome(row["document_id"], row["path"], True, row["n_chunks"], row["outcome"] != "indexed"),
            "coverage": row["coverage"],
        }
        for row in planned
    ]
    seen = {row["document_id"] for row in planned} | set(draft.scope("rejects"))
    rows += [row for row in _staying_documents(run, live) if row["document_id"] not in seen] if live else []
    columns = ["document_id", "path", "planned", "n_chunks", "n_rejects", "coverage", "text_blank"]
    return pandas.DataFrame(rows, columns=columns)


def _staying_documents(run: Run, live: Generation) -> Iterator[dict[str, Any]]:
    mine = f"source_name = '{run.options.plan.source_name}'"
    documents = published.read_columns(run.corpus, live, "documents", ["document_id", "path", "n_chunks"], mine)
    rejects = published.read_columns(run.corpus, live, "rejects", ["document_id", "path"], f"{mine} AND page_number = 0")
    refused = {row["document_id"]: row["path"] for row in rejects.to_pylist()}
    for row in documents.to_pylist():
        rejected = refused.pop(row["document_id"], None) is not None
        coverage = None if rejected else 1.0
        yield {**_outcome(row["document_id"], row["path"], False, row["n_chunks"], rejected), "coverage": coverage}
    for name, path in refused.items():
        yield {**_outcome(name, path, False, 0, True), "coverage": None}


def _outcome(document: str, path: str, planned: bool, n_chunks: int, rejected: bool) -> dict[str, Any]:
    return {
        "document_id": document,
        "path": path,
        "planned": planned,
        "n_chunks": n_chunks,
        "n_rejects": int(rejected),
        "text_blank": False,
    }


def validation_rows(corpus: str, run_id: str | None = None) -> list[dict[str, Any]]:
    """Return the logged validations of one run, by default of the last one, in their order."""
    rows: list[dict[str, Any]] = lance.open_table(corpus, "validations").to_arrow().to_pylist()
    chosen = run_id if run_id is not None else max(rows, key=lambda row: row["validated_at"], default={"run_id": ""})["run_id"]
    return sorted((row for row in rows if row["run_id"] == chosen), key=lambda row: (row["suite"], row["position"]))
