"""What a run shows in the Prefect UI: names, tags, messages, artifacts, logs. Read back from a real server."""

import logging
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from markdown_it import MarkdownIt
from prefect import flow, task
from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import (
    ArtifactFilter,
    ArtifactFilterFlowRunId,
    FlowRunFilter,
    FlowRunFilterId,
    LogFilter,
    LogFilterFlowRunId,
)
from prefect.runtime import flow_run

from flows.logs import LOGGERS, send_logs_to_flow_run
from tasks.publish.io.reports.names import make_artifact_key
from tests.flows.conftest import Refresh
from tests.tasks.hostile import HOSTILE

VIEWER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def logged(run_id: str) -> list[tuple[str, str, bool]]:
    """Return logger, message and whether a task run wrote it, of each record of a flow run."""
    with get_client(sync_client=True) as client:
        chosen = LogFilter(flow_run_id=LogFilterFlowRunId(any_=[UUID(run_id)]))
        return [(log.name, log.message, log.task_run_id is not None) for log in client.read_logs(chosen)]


def shown(run_id: str) -> dict[str, Any]:
    """Return the artifacts of a flow run."""
    with get_client(sync_client=True) as client:
        chosen = ArtifactFilter(flow_run_id=ArtifactFilterFlowRunId(any_=[UUID(run_id)]))
        return {str(found.key): found for found in client.read_artifacts(artifact_filter=chosen)}


def run_of(run_id: str) -> tuple[Any, list[Any]]:
    """Return a flow run and its task runs."""
    with get_client(sync_client=True) as client:
        chosen = FlowRunFilter(id=FlowRunFilterId(any_=[UUID(run_id)]))
        (found,) = client.read_flow_runs(flow_run_filter=chosen)
        return found, client.read_task_runs(flow_run_filter=chosen)


@pytest.mark.usefixtures("prefect_api")
def test_what_pagemill_logs_during_a_run_stands_in_the_runs_logs() -> None:
    mine, others = logging.getLogger("tasks.some.step"), logging.getLogger("elsewhere")

    @task
    def work() -> None:
        mine.info("in a task run")
        mine.debug("too small")

    @flow
    def inner() -> str:
        with send_logs_to_flow_run():
            mine.info("in the inner run")
            return str(flow_run.get_id())

    @flow
    def outer() -> tuple[str, str]:
        with send_logs_to_flow_run():
            mine.info("in the run itself")
            others.info("not ours")
            work()
            with ThreadPoolExecutor(1) as pool:
                pool.submit(mine.warning, "in a thread").result()
            return str(flow_run.get_id()), inner()

    before = [(logging.getLogger(name).level, list(logging.getLogger(name).handlers)) for name in LOGGERS]
    first, second = outer()
    mine.warning("after the run")
    ours = [(message, in_task) for name, message, in_task in logged(first) if name == "tasks.some.step"]
    assert sorted(ours) == [("in a task run", True), ("in a thread", False), ("in the run itself", False)]
    assert [message for name, message, _ in logged(second) if name == "tasks.some.step"] == ["in the inner run"]
    assert not [name for name, _, _ in logged(first) if name == "elsewhere"]
    assert before == [(logging.getLogger(name).level, list(logging.getLogger(name).handlers)) for name in LOGGERS]


@pytest.mark.slow
def test_a_run_says_what_it_did_in_names_tags_message_logs_and_artifacts(
    prefect_refresh: Refresh, source: Path, corpus: Path
) -> None:
    (source / "broken.pdf").write_bytes(b"nothing like a PDF")
    outcome = prefect_refresh(source, corpus)
    run, tasks = run_of(outcome["run_id"])
    assert run.name == "source into corpus"
    assert run.tags == ["corpus"]
    assert run.state.message == "generation 1: 8 added, 2 rejected; 6 documents"
    assert not [found.name for found in tasks if "/" in found.name]
    assert all("corpus" in found.tags for found in tasks)
    messages = [message for _, message, _ in logged(outcome["run_id"])]
    assert [message for message in messages if message.startswith("rejected by parse: broken.pdf: the file is not a PDF, or is")]
    assert [message for message in messages if message.startswith("parse, describe, chunk, embed: ")]
    assert [message for message in messages if re.match(r"embed of .*: \d+ computed, \d+ found staged", message)]
    summary = shown(outcome["run_id"])[make_artifact_key("refresh-summary", str(corpus))].data
    assert f"/runs/flow-run/{outcome['run_id']})" in summary
    assert "## Added: 8" in summary
    assert outcome["spent"]["PDF"]["parse"] > 0 and outcome["spent"]["PDF"]["embed"] > 0
    computed = {step: sum(seconds[step] for seconds in outcome["spent"].values()) for step in outcome["steps"]}
    assert all(computed[step] <= done["seconds"] + 0.1 for step, done in outcome["steps"].items())


@pytest.mark.slow
def test_files_with_hostile_names_are_shown_and_do_nothing(prefect_refresh: Refresh, tmp_path: Path) -> None:
    source, corpus = tmp_path / "in <b>box</b>", tmp_path / "my_corpus [x](javascript:alert(1))"
    source.mkdir(parents=True)
    for name in HOSTILE:
        flat = name.replace("/", "\u2215")[-200:]
        (source / f"{flat}.txt").write_text("The heron stands in the river.")
        (source / f"{flat}.pdf").write_bytes(b"nothing like a PDF")
    outcome = prefect_refresh(source, corpus, gate={"max_reject_share": 1.0})
    found = shown(outcome["run_id"])
    kinds = ("corpus", "refresh-progress", "refresh-rejects", "refresh-summary")
    assert {key.rsplit("-", 1)[0] for key in found} == {f"{kind}-my-corpus-x-javascript-alert-1" for kind in kinds}
    for artifact in found.values():
        html = VIEWER.render(str(artifact.data)) + VIEWER.render(artifact.description)
        html = re.sub(r'<img src="data:image/png;base64,[^"]*" alt="(Histogram|Trend)', "", html)
        assert not re.search(r"<(?!/?(h1|h2|p|table|thead|tbody|tr|th|td|ul|li|a href=\"http://127.0.0.1)\b)\w", html)
        assert not re.search("[\x00-\x09\x0b-\x1f\u202a-\u202e\u2066-\u2069]", str(artifact.data) + artifact.description)
    assert not [message for _, message, _ in logged(outcome["run_id"]) if "\n" in message and "Finished" not in message]


@pytest.mark.slow
def test_two_corpora_of_one_name_have_artifacts_of_their_own(prefect_refresh: Refresh, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a.txt").write_text("The heron stands in the river.")
    first = shown(prefect_refresh(tmp_path / "in", tmp_path / "one/corpus")["run_id"])
    second = shown(prefect_refresh(tmp_path / "in", tmp_path / "two/corpus")["run_id"])
    assert len(first) == len(second) == 4
    assert not first.keys() & second.keys()
