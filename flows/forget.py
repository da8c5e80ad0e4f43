"""Find and delete what a Prefect server has of one document: artifacts, task runs and their logs that name the document.

The server has no list of these, so the name of the document's file is searched for in the runs of the corpus. Entries that
name only a folder are kept.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import PurePosixPath
from typing import NamedTuple, TypeVar
from uuid import UUID

import httpx
from prefect.client.orchestration import SyncPrefectClient, get_client
from prefect.client.schemas.filters import (
    ArtifactFilter,
    ArtifactFilterKey,
    FlowRunFilter,
    FlowRunFilterTags,
    LogFilter,
    LogFilterFlowRunId,
    TaskRunFilter,
    TaskRunFilterFlowRunId,
)
from prefect.client.schemas.objects import FlowRun, Log, TaskRun
from prefect.exceptions import PrefectException

from schemas.corpus import Corpus
from schemas.errors import ServiceError
from schemas.shown import plain
from tasks.publish.escaping import escape_markdown
from tasks.publish.io.reports.names import make_artifact_key, name_corpus
from tasks.store.objects.paths import resolve_place

PAGE = 200
"""Most rows in one answer of the server."""


class Traces(NamedTuple):
    """Ids of artifacts and task runs that name a document, and of flow runs whose own log or state names it."""

    artifacts: list[UUID]
    task_runs: list[UUID]
    flow_runs: list[UUID]


def find_server_traces_of_documents(corpus: str, paths: Sequence[str]) -> Traces:
    """Return what the server in Prefect's settings has of the documents at `paths`.

    Raises:
        ServiceError: the server does not answer, or refuses.
    """
    name = _make_file_name_pattern(paths)
    found = Traces([], [], [])
    with _open_prefect_client() as client:
        found.artifacts.extend(_find_artifacts(client, corpus, name))
        for run in _read_flow_runs(client, corpus):
            logs = list(_read_run_logs(client, run.id))
            tasks = [task for task in _read_task_runs(client, run.id) if _is_named_in(name, task)]
            named = {log.task_run_id for log in logs if name.search(log.message)} | {task.id for task in tasks}
            found.task_runs.extend(sorted(name for name in named if name))
            if None in named or _is_named_in(name, run):
                found.flow_runs.append(run.id)
    return found


def delete_traces(found: Traces) -> None:
    """Delete artifacts, and task runs with their logs. Flow runs are kept, because a log is deleted only with its flow run.

    Raises:
        ServiceError: the server does not answer, or refuses.
    """
    with _open_prefect_client() as client:
        for artifact in found.artifacts:
            client.delete_artifact(artifact)
        for task in found.task_runs:
            client.delete_task_run(task)


@contextmanager
def _open_prefect_client() -> Iterator[SyncPrefectClient]:
    try:
        with get_client(sync_client=True) as client:
            yield client
    except (PrefectException, httpx.HTTPError) as error:
        raise ServiceError(
            f"the Prefect server failed ({error}): run the purge again to delete what the server holds of the document"
        ) from error


def _make_file_name_pattern(paths: Sequence[str]) -> re.Pattern[str]:
    """Return a pattern that finds the names of documents' files in logs and artifacts.

    >>> pattern = _make_file_name_pattern(["in/a.txt"])
    >>> [bool(pattern.search(text)) for text in ("parse a.txt", "in/a.txt: empty", "data.txt", "a.txt2")]
    [True, True, False, False]
    """
    names = {PurePosixPath(path).name for path in paths}
    forms = "|".join(sorted(re.escape(form) for name in names for form in (plain(name), escape_markdown(name))))
    return re.compile(rf"(?<![\w.-])(?:{forms})(?!\w)")


def _is_named_in(name: re.Pattern[str], run: FlowRun | TaskRun) -> bool:
    return bool(name.search(run.name) or name.search((run.state and run.state.message) or ""))


def _read_flow_runs(client: SyncPrefectClient, corpus: str) -> Iterator[FlowRun]:
    """Yield the flow runs of the corpus and its candidates: they are tagged with its name, and have their folder as parameter."""
    tagged = FlowRunFilter(tags=FlowRunFilterTags(all_=[name_corpus(corpus)]))
    for run in _read_pages(client.read_flow_runs, flow_run_filter=tagged):
        given = run.parameters.get("corpus")
        if isinstance(given, str) and _is_place_of_corpus(resolve_place(given), resolve_place(corpus)):
            yield run


def _is_place_of_corpus(place: str, corpus: str) -> bool:
    """Return whether a place is that of the corpus, or of a candidate of it, which may be gone."""
    home = Corpus(place).home
    return corpus in (place, home and home.uri)


def _read_task_runs(client: SyncPrefectClient, run: UUID) -> Iterator[TaskRun]:
    return _read_pages(client.read_task_runs, task_run_filter=TaskRunFilter(flow_run_id=TaskRunFilterFlowRunId(any_=[run])))


def _read_run_logs(client: SyncPrefectClient, run: UUID) -> Iterator[Log]:
    return _read_pages(client.read_logs, log_filter=LogFilter(flow_run_id=LogFilterFlowRunId(any_=[run])))


def _find_artifacts(client: SyncPrefectClient, corpus: str, name: re.Pattern[str]) -> Iterator[UUID]:
    ours = ArtifactFilter(key=ArtifactFilterKey(like_=f"%{make_artifact_key('', corpus)}"))
    for artifact in _read_pages(client.read_artifacts, artifact_filter=ours):
        if name.search(f"{artifact.data} {artifact.description}"):
            yield artifact.id


Row = TypeVar("Row")


def _read_pages(read: Callable[..., list[Row]], **question: object) -> Iterator[Row]:
    """Yield all rows for a query to the server, page by page."""
    offset = 0
    while rows := read(**question, limit=PAGE, offset=offset):
        yield from rows
        offset += len(rows)
