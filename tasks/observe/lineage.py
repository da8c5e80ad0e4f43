"""Lineage: what a refresh reads and writes, as run events of OpenLineage.

A source is a dataset of files, each table one of rows; a dataset's namespace is where it lies, its name the path there, as the
naming of OpenLineage says. The gate is a job of its own, whose run has the refresh as its parent: facets of quality belong to
what a run reads.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from typing import NamedTuple
from urllib.parse import urlsplit
from uuid import UUID, uuid5

import pyarrow as pa
from openlineage.client.event_v2 import InputDataset, Job, OutputDataset, Run, RunEvent, RunState
from openlineage.client.facet_v2 import (
    RunFacet,
    column_lineage_dataset,
    data_quality_assertions_dataset,
    dataset_version_dataset,
    error_message_run,
    job_type_job,
    output_statistics_output_dataset,
    parent_run,
    schema_dataset,
    set_producer,
)

from expectations.expected import Finding
from expectations.sentences import describe_finding
from schemas.shown import plain
from schemas.tables.generations import VERSIONED

PRODUCER = f"pkg:pypi/pagemill@{version('pagemill')}"
set_producer(PRODUCER)

SOURCE = "source"
SOURCE_COLUMNS = pa.schema([("path", pa.string()), ("content", pa.binary()), ("metadata", pa.string())])
"""A file of a source: its path, its bytes, and what metadata files say of it."""

FROM_CONTENT = {SOURCE: ["content"]}
FROM_FILE = {SOURCE: ["content", "metadata"]}
FROM_TEXT = {"documents": ["text"]}
FROM_HEADED_TEXT = {"documents": ["text", "title"], "elements": ["section"]}
COLUMN_LINEAGE: Mapping[str, Mapping[str, Mapping[str, Sequence[str]]]] = {
    "documents": {
        "path": {SOURCE: ["path"]},
        "metadata": {SOURCE: ["metadata"]},
        **dict.fromkeys(("sha256", "media_type", "text"), FROM_CONTENT),
        **dict.fromkeys(("title", "author", "created", "modified", "language"), FROM_FILE),
    },
    "elements": {
        "document_id": {"documents": ["document_id"]},
        **dict.fromkeys(("page_number", "kind", "level", "bbox", "text", "html", "section", "place"), FROM_CONTENT),
    },
    "figures": {
        "document_id": {"documents": ["document_id"]},
        "element_id": {"elements": ["element_id"]},
        **dict.fromkeys(("page_number", "bbox", "kind", "embedding", "ocr_text", "description", "thumbnail"), FROM_CONTENT),
    },
    "chunks": {
        **{name: {"documents": [name]} for name in ("document_id", "source_name", "path", "title")},
        **dict.fromkeys(("start_char", "end_char", "text", "sentence_ends", "search_terms"), FROM_TEXT),
        **dict.fromkeys(("embedding_text", "n_tokens", "vector"), FROM_HEADED_TEXT),
        "section": {"elements": ["section"]},
        "pages": {"elements": ["page_number"]},
        "boxes": {"elements": ["page_number", "bbox"]},
        "places": {"elements": ["place"]},
    },
    "rejects": {"path": {SOURCE: ["path"]}},
}
"""By table and column, the columns that it is made from."""

JUDGED = {
    **{name: name for name in ("documents", "chunks")},
    **{f"{name}_references": name for name in ("elements", "figures", "chunks")},
    **dict.fromkeys(("copies", "personal_data"), "documents"),
    **dict.fromkeys(("lengths", "retrieval", "vector_index"), "chunks"),
}
"""The table that a suite judges."""


class Place(NamedTuple):
    """A dataset's namespace and its name there."""

    namespace: str
    name: str


class Table(NamedTuple):
    """A published table: its columns, its version and its number of rows."""

    columns: pa.Schema
    version: int
    n_rows: int


class Refresh(NamedTuple):
    """A refresh as its events name it: the namespace of its job, its run, the URLs or paths of source and corpus.

    `columns` are the names of metadata columns that the user declared.
    """

    namespace: str
    run_id: str
    source: str
    corpus: str
    columns: tuple[str, ...] = ()

    @property
    def job(self) -> str:
        """The name of its job."""
        return f"pagemill.refresh.{split_place(self.corpus).name}"

    @property
    def run(self) -> str:
        """The id of its run, a UUID."""
        return str(UUID(self.run_id))

    def locate(self, dataset: str) -> Place:
        """Return the place of the source or of a table."""
        if dataset == SOURCE:
            return split_place(self.source)
        namespace, name = split_place(self.corpus)
        return Place(namespace, f"{name}/{dataset}.lance")


def split_place(place: str) -> Place:
    """Return the namespace and the name of a URL or an absolute path.

    >>> [tuple(split_place(place)) for place in ("/data/reports", "s3://bucket/a/b", "sftp://files:22")]
    [('file', '/data/reports'), ('s3://bucket', 'a/b'), ('sftp://files:22', '/')]
    """
    if "://" not in place:
        return Place("file", place)
    url = urlsplit(place)
    path = f"{url.path}?{url.query}" if url.query else url.path
    return Place(f"{url.scheme}://{url.netloc}", path.removeprefix("/") or "/")


def make_start_event(refresh: Refresh, time: str) -> RunEvent:
    """Return the event of a refresh that begins at `time` (ISO 8601, with zone)."""
    return _make_event(refresh, RunState.START, time, outputs=[OutputDataset(*refresh.locate(name)) for name in VERSIONED])


def make_complete_event(refresh: Refresh, time: str, tables: Mapping[str, Table]) -> RunEvent:
    """Return the event of a refresh that has published `tables`."""
    outputs = [_make_output(refresh, name, table) for name, table in tables.items()]
    return _make_event(refresh, RunState.COMPLETE, time, outputs=outputs)


def make_fail_event(refresh: Refresh, time: str, error: BaseException) -> RunEvent:
    """Return the event of a refresh that failed, or was ended, and published nothing."""
    told = error_message_run.ErrorMessageRunFacet(plain(f"{type(error).__name__}: {error}"), "PYTHON")
    return _make_event(refresh, RunState.FAIL, time, {"errorMessage": told})


def make_gate_event(refresh: Refresh, time: str, findings: Iterable[Finding], columns: Mapping[str, Sequence[str]]) -> RunEvent:
    """Return the event of the gate, which judged the draft's tables with these `columns`: it fails if a finding refuses."""
    by_table: dict[str, list[Finding]] = {}
    for found in findings:
        by_table.setdefault(JUDGED[found.suite], []).append(found)
    refused = any(one.refuses for found in by_table.values() for one in found)
    parent = parent_run.ParentRunFacet(parent_run.Run(refresh.run), parent_run.Job(refresh.namespace, refresh.job))
    return RunEvent(
        eventTime=time,
        producer=PRODUCER,
        eventType=RunState.FAIL if refused else RunState.COMPLETE,
        run=Run(str(uuid5(UUID(refresh.run), "gate")), {"parent": parent}),
        job=_make_job(refresh.namespace, f"{refresh.job}.gate"),
        inputs=[
            InputDataset(
                *refresh.locate(name), inputFacets={"dataQualityAssertions": _make_assertions(found, columns.get(name, ()))}
            )
            for name, found in by_table.items()
        ],
    )


def _make_event(
    refresh: Refresh,
    state: RunState,
    time: str,
    facets: Mapping[str, RunFacet] | None = None,
    outputs: Sequence[OutputDataset] = (),
) -> RunEvent:
    columns = schema_dataset.SchemaDatasetFacet(_list_fields(SOURCE_COLUMNS))
    return RunEvent(
        eventTime=time,
        producer=PRODUCER,
        eventType=state,
        run=Run(refresh.run, dict(facets or {})),
        job=_make_job(refresh.namespace, refresh.job),
        inputs=[InputDataset(*refresh.locate(SOURCE), facets={"schema": columns})],
        outputs=[*outputs],
    )


def _make_job(namespace: str, name: str) -> Job:
    kind = job_type_job.JobTypeJobFacet(processingType="BATCH", integration="PAGEMILL", jobType="JOB")
    return Job(namespace, name, {"jobType": kind})


def _make_output(refresh: Refresh, name: str, table: Table) -> OutputDataset:
    return OutputDataset(
        *refresh.locate(name),
        facets={
            "schema": schema_dataset.SchemaDatasetFacet(_list_fields(table.columns)),
            "version": dataset_version_dataset.DatasetVersionDatasetFacet(str(table.version)),
            "columnLineage": _make_column_lineage(refresh, name, table.columns),
        },
        outputFacets={"outputStatistics": output_statistics_output_dataset.OutputStatisticsOutputDatasetFacet(table.n_rows)},
    )


def _list_fields(columns: Iterable[pa.Field]) -> list[schema_dataset.SchemaDatasetFacetFields]:
    return [schema_dataset.SchemaDatasetFacetFields(field.name, str(field.type)) for field in columns]


def _make_column_lineage(refresh: Refresh, name: str, columns: pa.Schema) -> column_lineage_dataset.ColumnLineageDatasetFacet:
    declared = {column: {SOURCE: ["metadata"]} if name == "documents" else {"documents": [column]} for column in refresh.columns}
    origins = {**COLUMN_LINEAGE[name], **declared}
    return column_lineage_dataset.ColumnLineageDatasetFacet(
        {
            column: column_lineage_dataset.Fields(
                [
                    column_lineage_dataset.InputField(
                        *refresh.locate(dataset),
                        field,
                        [
                            column_lineage_dataset.Transformation(
                                "DIRECT", "IDENTITY" if field == column else "TRANSFORMATION", None, None
                            )
                        ],
                    )
                    for dataset, fields in origins[column].items()
                    for field in fields
                ]
            )
            for column in columns.names
            if column in origins
        }
    )


def _make_assertions(
    findings: Sequence[Finding], columns: Sequence[str]
) -> data_quality_assertions_dataset.DataQualityAssertionsDatasetFacet:
    """Return what was found; a finding names its column only if the table has it: some are of columns that are computed."""
    return data_quality_assertions_dataset.DataQualityAssertionsDatasetFacet(
        [
            data_quality_assertions_dataset.Assertion(
                assertion=found.expectation,
                success=found.success,
                column=found.column if found.column in columns else None,
                severity="error" if found.severity == "critical" else "warn",
                name=f"{found.suite}.{found.position}",
                description=plain(describe_finding(found)),
                expected=found.allowed,
                actual=plain(json.dumps(json.loads(found.observed), ensure_ascii=False)),
            )
            for found in findings
        ]
    )
