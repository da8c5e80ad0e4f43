"""A refresh is seen by the collector of OpenTelemetry that the variables name: its trace, and the metrics of its corpus."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from flows.cli.main import make_cli_application
from schemas.corpus import Corpus
from schemas.errors import GateError, InputError, ServiceError
from schemas.staged import STEPS
from tasks.evaluate.io.corpus_status import read_metric_samples
from tests.collector import Collector, collecting, read_attributes
from tests.flows.conftest import Refresh
from tests.flows.ports import free_port

FAILED = 2
"""The status of a span that ended with an error."""


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    with collecting() as found:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", found.url)
        monkeypatch.setenv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=test")
        yield found


def read_gauges(collector: Collector) -> dict[tuple[str, str], float]:
    """Return the values of gauges by name and labels."""
    points = [(metric.name, point) for metric in collector.metrics for point in metric.gauge.data_points]
    return {
        (name, str(sorted(read_attributes(point).items()))): getattr(point, point.WhichOneof("value")) for name, point in points
    }


def test_a_trace_goes_from_the_refresh_to_batches_steps_and_slow_documents(
    plain: Refresh, texts: Path, corpus: Path, collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tasks.refresh.io.stage.SLOW_SECONDS", 0.0)
    run = plain(texts, corpus)["run_id"]
    (root,) = collector.children(b"")
    assert root.name == "refresh" and read_attributes(root)["pagemill.run_id"] == run
    assert {span.trace_id for span in collector.spans} == {root.trace_id}
    batches = collector.children(root.span_id)
    assert {batch.name for batch in batches} == {"batch"}
    paths = set()
    for batch in batches:
        steps = sorted(collector.children(batch.span_id), key=lambda span: span.start_time_unix_nano)
        assert tuple(step.name for step in steps) == STEPS
        for step in steps:
            assert read_attributes(step)["pagemill.computed"] == read_attributes(batch)["pagemill.contents"]
            documents = collector.children(step.span_id)
            assert {span.name for span in documents} == {"document"}
            assert all(step.start_time_unix_nano - 1e6 <= one.start_time_unix_nano < step.end_time_unix_nano for one in documents)
            paths |= {Path(read_attributes(one)["pagemill.path"]).name for one in documents}
    assert paths == {"a.txt", "b.txt", "c.txt"}
    wanted = {"service.name": "pagemill", "deployment.environment.name": "test"}
    assert len(collector.resources) >= 2 and all(wanted.items() <= one.items() for one in collector.resources)
    assert read_gauges(collector)[("pagemill.documents", f"[('corpus', '{corpus}')]")] == 3


def test_a_refused_refresh_is_a_failed_span_and_sends_what_is_still_live(
    plain: Refresh,
    texts: Path,
    corpus: Path,
    collector: Collector,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (texts / "broken.pdf").write_bytes(b"nothing like a PDF")
    with pytest.raises(GateError):
        plain(texts, corpus, gate={"max_reject_share": 0})
    (root,) = collector.children(b"")
    assert root.status.code == FAILED and "1 of 4 documents rejected" in root.status.message
    assert f"no metrics are sent: {corpus} holds no published corpus" in caplog.text
    plain(texts, corpus)
    collector.metrics.clear()
    with pytest.raises(GateError):
        (texts / "worse.pdf").write_bytes(b"nothing like a PDF")
        plain(texts, corpus, gate={"max_reject_share": 0})
    refused = read_gauges(collector)
    assert [
        value for (name, labels), value in refused.items() if name == "pagemill.run_outcome" and "'outcome', 'refused'" in labels
    ] == [1]
    collector.metrics.clear()
    command = ["status", "--corpus", str(corpus), "--otlp"]
    assert CliRunner().invoke(make_cli_application(), command).output == ""
    assert read_gauges(collector).keys() == refused.keys()
    assert read_gauges(collector) == {
        (f"pagemill.{one.name}", str(sorted({"corpus": str(corpus), **one.labels}.items()))): one.value
        for one in read_metric_samples(Corpus(str(corpus)))
    }
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{free_port()}")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "1")
    with pytest.raises(ServiceError, match="were not taken: does a collector listen"):
        CliRunner().invoke(make_cli_application(), command, catch_exceptions=False)


def test_metrics_that_nobody_wants_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OTEL_EXPORTER_OTLP_ENDPOINT", raising=False)
    with pytest.raises(InputError, match="set OTEL_EXPORTER_OTLP_ENDPOINT"):
        CliRunner().invoke(make_cli_application(), ["status", "--corpus", str(tmp_path), "--otlp"], catch_exceptions=False)
