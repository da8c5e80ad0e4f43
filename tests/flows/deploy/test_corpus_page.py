"""The page of a corpus and its metrics tell what its runs did."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from schemas.corpus import Corpus
from schemas.errors import CorpusError, GateError
from tasks.evaluate.corpus_status import draw_run_panels, format_metric_samples, render_corpus_page
from tasks.evaluate.io.corpus_status import read_corpus_status, read_metric_samples
from tasks.publish.io.run_log import MOST, log_ended_run, read_logged_runs
from tests.flows.conftest import Refresh

LINE = re.compile(r'pagemill_[a-z_]+\{([a-z_]+="[^"]*",?)+\} [-+.e0-9]+')


def test_the_page_of_a_corpus_tells_freshness_size_and_every_run(plain: Refresh, texts: Path, corpus: Path) -> None:
    assert read_corpus_status(Corpus(str(corpus))) is None
    plain(texts, corpus)
    (texts / "d.txt").write_text("The weir hums.")
    (texts / "broken.pdf").write_bytes(b"nothing like a PDF")
    with pytest.raises(GateError):
        plain(texts, corpus, gate={"max_reject_share": 0})
    plain(texts, corpus)
    assert [run.outcome for run in read_logged_runs(Corpus(str(corpus)))] == ["published", "refused", "published"]
    status = read_corpus_status(Corpus(str(corpus)))
    assert status is not None
    assert [(point.generation, point.documents, point.rejects) for point in status.points] == [(1, 3, 0), (1, 3, 0), (2, 4, 1)]
    assert status.points[-1].changes == "2 added, 1 rejected" and status.points[-1].seconds > 0
    assert dict(status.totals)["documents"] == 4 and sum(status.sizes.values()) > 10_000
    shown = render_corpus_page(status, status.published_at + timedelta(days=3))
    assert "| live generation | 2, published " in shown and "3 days ago" in shown
    assert "| refused |  | 3 |" in shown and "nobody evaluated yet" in shown
    assert draw_run_panels(status.points).count("<circle") == 4 * len(status.points)


def test_metrics_are_what_prometheus_reads(plain: Refresh, texts: Path, corpus: Path) -> None:
    with pytest.raises(CorpusError, match="holds no published corpus"):
        list(read_metric_samples(Corpus(str(corpus))))
    plain(texts, corpus)
    lines = format_metric_samples(read_metric_samples(Corpus(str(corpus))), "reports").splitlines()
    values = {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in lines if not line.startswith("#")}
    assert all(line.startswith(("# HELP pagemill_", "# TYPE pagemill_")) or LINE.fullmatch(line) for line in lines)
    assert values['pagemill_documents{corpus="reports"}'] == 3
    assert values['pagemill_run_documents{corpus="reports",change="added"}'] == 3
    assert values['pagemill_run_computed{corpus="reports",step="embed"}'] == 3
    assert values['pagemill_run_cache_hits{corpus="reports",step="embed"}'] == 0
    assert values['pagemill_run_chunks_per_second{corpus="reports"}'] > 0
    assert values['pagemill_run_outcome{corpus="reports",outcome="published"}'] == 1
    heads = [line.split()[2] for line in lines if line.startswith("# TYPE")]
    assert len(heads) == len(set(heads)), "the samples of one name stand together"


def test_the_log_of_runs_forgets_the_oldest_and_begins_anew_if_it_is_damaged(corpus: Path) -> None:
    place = Corpus(str(corpus))
    for number in range(MOST + 5):
        log_ended_run(place, datetime.now(UTC).timestamp() - 2, run_id=str(number), outcome="nothing changed", generation=1)
    runs = read_logged_runs(place)
    assert [run.run_id for run in runs] == [str(number) for number in range(5, MOST + 5)]
    assert runs[0].seconds == pytest.approx(2, abs=0.5)
    place.marker("runs.json").write_text('[{"run_id"')
    assert read_logged_runs(place) == ()
