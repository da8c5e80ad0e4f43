from operator import itemgetter
from pathlib import Path

import pytest

from demo.charts import draw_charts
from flows.settings import read_refresh_options
from schemas.corpus import Corpus
from schemas.errors import InputError
from tasks.file_tools.io.chunk_file import chunk_file
from tasks.publish.io.reports.contact_sheet import render_figures_report
from tasks.search.io.figures import find_figures
from tasks.search.io.retrieve import open_searcher
from tasks.store import published
from tests.flows.conftest import Refresh
from tests.flows.corpora import rows
from tests.tasks.drawn_charts import page_with

VECTOR_CHARTS = (
    ("flour.pdf", "How many tonnes of flour does each mill on the river make?", "Axis: mill on the river; tonnes of flour."),
    ("flour.pdf", "Is there less flour this year than last year?", "Legend: last year, this year."),
    ("river.pdf", "How many degrees Celsius and metres has the river?", "Axis: year; metres; degrees Celsius."),
)
"""Charts drawn as vectors, questions on the names of their axes and on their legends, and what tells the answer."""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "source"
    folder.mkdir()
    draw_charts(folder / "sales.pdf")
    (folder / "flour.pdf").write_bytes(page_with("bar chart"))
    (folder / "river.pdf").write_bytes(page_with("line graph", font_type=3))
    (folder / "kelp.txt").write_text("Kelp grows in cold water. Buyers of kelp are many. A bay is a part of the sea.")
    return folder


def test_a_question_whose_answer_stands_only_in_a_chart_finds_that_chart(source: Path, tmp_path: Path, refresh: Refresh) -> None:
    outcome = refresh(source, tmp_path / "corpus")
    corpus = str(tmp_path / "corpus")
    hits = open_searcher(Corpus(corpus)).search("How many percent go to cosmetics makers?", 3)
    (found,) = [hit for hit in hits if "Cosmetics makers" in hit.text]
    assert (found.kind, found.pages) == ("figure", [2])
    live = published.read_live_generation(Corpus(corpus))
    figures = published.read_columns(Corpus(corpus), live, "figures", ["kind", "embedding", "description"]).to_pylist()
    assert sorted(figure["kind"] for figure in figures) == [*["bar chart"] * 2, *["line graph"] * 3, "pie chart"]
    assert {len(figure["embedding"]) for figure in figures} == {256}
    first = [
        find_figures(Corpus(corpus), question, 1)[0] for question in ("pie chart of buyers", "degrees Celsius", "harvest in bars")
    ]
    assert [hit.type for hit in first] == ["pie chart", "line graph", "bar chart"]
    assert first[0].path == "sales.pdf" and first[0].page_number == 2
    assert len(find_figures(Corpus(corpus), "pie chart", 9, "media_type = 'application/pdf'")) == len(figures)
    assert find_figures(Corpus(corpus), "pie chart", 9, "path = 'kelp.txt'") == []
    assert "| line graph | 3 |" in render_figures_report(Corpus(corpus), outcome["run_id"])
    for path, question, part in VECTOR_CHARTS:
        chart = next(
            hit for hit in open_searcher(Corpus(corpus)).search(question, 3) if hit.kind == "figure" and hit.path == path
        )
        assert part in chart.text
    with pytest.raises(InputError, match="empty"):
        find_figures(Corpus(corpus), " ", 1)
    (source / "copy of sales.pdf").write_bytes((source / "sales.pdf").read_bytes())
    refresh(source, tmp_path / "corpus")
    assert len(find_figures(Corpus(corpus), "buyers", 9)) == len(figures)
    assert {hit.path for hit in find_figures(Corpus(corpus), "buyers", 99, show_all=True)} >= {"sales.pdf", "copy of sales.pdf"}


def test_the_chunk_command_cuts_figures_as_a_refresh_does(source: Path, tmp_path: Path, refresh: Refresh) -> None:
    refresh(source, tmp_path / "corpus")
    same = ("n_tokens", "text", "kind", "pages", "section")
    kept = [row for row in rows(tmp_path / "corpus", "chunks") if row["path"] == "sales.pdf"]
    cut = chunk_file(source / "sales.pdf", read_refresh_options({}))
    found = [(row["start"], row["end"], *map(row.get, same)) for row in cut.chunks]
    assert found == sorted(((row["start_char"], row["end_char"], *map(row.get, same)) for row in kept), key=itemgetter(0, 1))
    assert any(row["kind"] == "figure" and "Bar chart (confidence" in row["text"] for row in kept)
    assert cut.rejects == []


def test_a_model_that_cannot_be_used_stops_the_run_before_it_starts(source: Path, tmp_path: Path, refresh: Refresh) -> None:
    with pytest.raises(InputError, match="no CLIP model"):
        refresh(source, tmp_path / "corpus", describe={"clip_model": "nowhere"})
