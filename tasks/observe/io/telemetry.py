"""Telemetry: traces and metrics by OTLP over HTTP, where OpenTelemetry's own variables say; nothing without them."""

import logging
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from typing import TYPE_CHECKING, Literal

from schemas.corpus import Corpus
from schemas.errors import InputError, PagemillError, ServiceError
from tasks.publish.io.reports.names import name_corpus, name_source
from tasks.refresh.run import Run
from tasks.workers.tracing import Attributes, trace_span, use_tracer

if TYPE_CHECKING:
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

NAME = "pagemill"
ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"
NOT_INSTALLED = "pip install 'pagemill[opentelemetry]'"
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10)
"""Bounds of the histogram, those of OpenTelemetry's semantic conventions for `http.server.request.duration`."""

METHODS = frozenset({"CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE"})
"""All others are `_OTHER`, as the same conventions say: clients could make up any number of them."""

Signal = Literal["traces", "metrics"]
logger = logging.getLogger(__name__)


def is_telemetry_wanted(signal: Signal) -> bool:
    """Return whether OpenTelemetry is told where to send a signal, and not to leave it."""
    off = os.environ.get("OTEL_SDK_DISABLED", "").lower() == "true" or os.environ.get(f"OTEL_{signal.upper()}_EXPORTER") == "none"
    return not off and any(os.environ.get(name) for name in (ENDPOINT, f"OTEL_EXPORTER_OTLP_{signal.upper()}_ENDPOINT"))


@contextmanager
def trace_refresh(run: Run) -> Iterator[None]:
    """Make a trace of the block, in which a refresh is carried out. What cannot be sent is logged."""
    provider = _open_tracer_provider() if is_telemetry_wanted("traces") else None
    if provider is None:
        yield
        return
    attributes: Attributes = {
        "pagemill.corpus": name_corpus(run.corpus.uri),
        "pagemill.source": name_source(run.source),
        "pagemill.run_id": run.run_id,
        "pagemill.base_generation": run.base,
    }
    try:
        with use_tracer(provider.get_tracer(NAME, version(NAME))), trace_span("refresh", attributes):
            yield
    finally:
        provider.shutdown()


def send_corpus_metrics(corpus: Corpus) -> None:
    """Send the metrics of a corpus, those of `status --prometheus`, as gauges.

    Raises:
        InputError: OpenTelemetry is not told where to send them, or not installed.
        CorpusError: nothing was published there yet.
        ServiceError: nobody took them.
    """
    from tasks.evaluate.io.corpus_status import read_metric_samples

    if not is_telemetry_wanted("metrics"):
        raise InputError(f"no address is given for metrics: set {ENDPOINT}, such as http://127.0.0.1:4318")
    try:
        from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
        from opentelemetry.sdk.metrics import MeterProvider
        from opentelemetry.sdk.metrics.export import InMemoryMetricReader, MetricExportResult
    except ImportError as error:
        raise InputError(f"OpenTelemetry is not installed: {NOT_INSTALLED}") from error
    reader, exporter = InMemoryMetricReader(), OTLPMetricExporter()
    meter = MeterProvider([reader], _describe_process(), shutdown_on_exit=False).get_meter(NAME, version(NAME))
    for sample in read_metric_samples(corpus):
        gauge = meter.create_gauge(f"{NAME}.{sample.name}", description=sample.help)
        gauge.set(sample.value, {"corpus": str(corpus.folder.resolve()), **sample.labels})
    measured = reader.get_metrics_data()
    sent = exporter.export(measured) if measured else MetricExportResult.SUCCESS
    exporter.shutdown()
    if sent is not MetricExportResult.SUCCESS:
        raise ServiceError(f"the metrics of {corpus} were not taken: does a collector listen where {ENDPOINT} says?")


def send_corpus_metrics_if_wanted(corpus: Corpus) -> None:
    """Send the metrics of a corpus if OpenTelemetry is told where; what hinders is logged, because the refresh is done."""
    if is_telemetry_wanted("metrics"):
        try:
            send_corpus_metrics(corpus)
        except PagemillError as error:
            logger.warning("no metrics are sent: %s", error)


@contextmanager
def measure_requests(application: "ASGIApp") -> "Iterator[ASGIApp]":
    """Yield an ASGI application that measures how long requests take, if OpenTelemetry is told where to send that.

    The histogram is `http.server.request.duration`, in seconds, by method, route and status. It holds nothing that was asked.
    """
    provider = _open_meter_provider() if is_telemetry_wanted("metrics") else None
    if provider is None:
        yield application
        return
    histogram = provider.get_meter(NAME, version(NAME)).create_histogram(
        "http.server.request.duration", "s", "Duration of HTTP server requests.", explicit_bucket_boundaries_advisory=SECONDS
    )

    async def measured(scope: "Scope", receive: "Receive", send: "Send") -> None:
        if scope["type"] != "http":
            await application(scope, receive, send)
            return
        began, status = time.perf_counter(), 500

        async def send_noted(message: "Message") -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        try:
            await application(scope, receive, send_noted)
        finally:
            route = getattr(scope.get("route"), "path", "")
            method = scope["method"] if scope["method"] in METHODS else "_OTHER"
            known = {"http.request.method": method, "http.response.status_code": status, "url.scheme": scope["scheme"]}
            histogram.record(time.perf_counter() - began, {**known, **({"http.route": route} if route else {})})

    try:
        yield measured
    finally:
        provider.shutdown()


def _open_tracer_provider() -> "TracerProvider | None":
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        logger.warning("no trace is sent: %s, or unset %s", NOT_INSTALLED, ENDPOINT)
        return None
    provider = TracerProvider(resource=_describe_process(), shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return provider


def _open_meter_provider() -> "MeterProvider | None":
    """Return what sends metrics at OpenTelemetry's interval and at its end; None if it is not installed."""
    try:
        from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
        from opentelemetry.sdk.metrics import MeterProvider
        from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
    except ImportError:
        logger.warning("no metrics are sent: %s, or unset %s", NOT_INSTALLED, ENDPOINT)
        return None
    return MeterProvider([PeriodicExportingMetricReader(OTLPMetricExporter())], _describe_process(), shutdown_on_exit=False)


def _describe_process() -> "Resource":
    """Return what OpenTelemetry's variables say of this process; its service is Pagemill if they name none."""
    from opentelemetry.sdk.resources import OTELResourceDetector, Resource

    return Resource({"service.name": NAME, "service.version": version(NAME)}).merge(OTELResourceDetector().detect())
