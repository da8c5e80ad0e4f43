"""A collector of OpenTelemetry on loopback: it takes OTLP over HTTP, as protobuf, and keeps what it was sent."""

import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

Attributes = dict[str, Any]


class Collector:
    """What was sent so far, `spans` and `metrics` as their protobuf messages, and the attributes of who sent it."""

    def __init__(self) -> None:
        self.spans: list[Any] = []
        self.metrics: list[Any] = []
        self.resources: list[Attributes] = []
        self.url = ""

    def take(self, path: str, body: bytes) -> bool:
        """Keep what was sent to a path; return whether it is one of the specification's."""
        if path == "/v1/traces":
            for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
                self.resources.append(read_attributes(resource.resource))
                self.spans += [span for scope in resource.scope_spans for span in scope.spans]
        elif path == "/v1/metrics":
            for measured in ExportMetricsServiceRequest.FromString(body).resource_metrics:
                self.resources.append(read_attributes(measured.resource))
                self.metrics += [metric for scope in measured.scope_metrics for metric in scope.metrics]
        return path in ("/v1/traces", "/v1/metrics")

    def children(self, parent: bytes) -> list[Any]:
        """Return the spans whose parent has that id; none for the root."""
        return [span for span in self.spans if span.parent_span_id == parent]


def read_attributes(holder: Any) -> Attributes:
    """Return the attributes of a message by name."""
    return {one.key: getattr(one.value, one.value.WhichOneof("value")) for one in holder.attributes}


@contextmanager
def collecting() -> Iterator[Collector]:
    """Collect during the block."""
    collector = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.headers.get("Content-Encoding") == "gzip":
                body = gzip.decompress(body)
            self.send_response(200 if collector.take(self.path, body) else 404)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        collector.url = f"http://127.0.0.1:{server.server_port}"
        yield collector
        server.shutdown()
