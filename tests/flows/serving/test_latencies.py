"""How long the server takes to answer is seen by a collector of OpenTelemetry, and nothing of what was asked."""

import urllib.error
import urllib.request

import pytest

from tests.collector import collecting, read_attributes
from tests.flows.serving.conftest import Published
from tests.flows.serving.servers import serving

SECRET = "herons-and-kelp"


def test_latencies_are_histograms_by_route_and_status(published_corpus: Published) -> None:
    with collecting() as collector:
        with serving(published_corpus.corpus, OTEL_EXPORTER_OTLP_ENDPOINT=collector.url) as server:
            statuses = [server.get("/search", q=SECRET)[0] for _ in range(3)]
            statuses += [server.get("/documents/" + SECRET)[0], server.get("/" + SECRET)[0]]
            for method in ("MADEUP", "INVENTED"):
                with pytest.raises(urllib.error.HTTPError, match="405"):
                    urllib.request.urlopen(urllib.request.Request(f"{server.url}/search", method=method))
        (metric,) = collector.metrics
    assert (statuses[0], statuses[3:], metric.name, metric.unit) == (200, [404, 404], "http.server.request.duration", "s")
    seen = [(read_attributes(one), one) for one in metric.histogram.data_points]
    points = {(told.get("http.route"), told["http.response.status_code"]): one for told, one in seen}
    counts = {("/search", 200): 3, ("/documents/{document_id}", 404): 1, (None, 404): 1, ("/search", 405): 2}
    assert {key: one.count for key, one in points.items()} == counts
    assert {told["http.request.method"] for told, _ in seen} == {"GET", "_OTHER"}
    assert 0 < points["/search", 200].sum < 100 and len(points["/search", 200].explicit_bounds) == 14
    assert SECRET not in str(metric)
