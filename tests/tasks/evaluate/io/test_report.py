import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from schemas.conform import make_table_from_rows
from schemas.corpus import Corpus
from schemas.errors import InputError
from schemas.tables.evaluations import QUESTIONS, SCORES
from tasks.evaluate.io.report import MOST_QUESTIONS, read_report_data, write_evaluation_report
from tasks.store import lance
from tests.tasks.evaluate.report.logs import (
    BEGAN,
    HOSTILE,
    LoggedRun,
    Question,
    Setting,
    log_runs,
    log_texts,
    questions_of,
    texts_of,
)
from tests.tasks.small_corpus import publish_corpus

VOID = {"meta", "img", "br", "link", "input"}
GOOD, POOR = Setting("good", 0.9), Setting("poor", 0.3, seconds=None)


class Page(HTMLParser):
    """All tags of a page, which must close each element that they open."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.links: list[str] = []
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [name for name, _ in attrs if name in ("src", "href") or name.startswith("on")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def folder(path: Path, runs: list[tuple[str, int, Setting]], n_questions: int = 12) -> Corpus:
    """Make a folder with the logs of runs, each with its generation and setting."""
    draw = np.random.default_rng(0)
    texts = texts_of(7, draw)
    asked = questions_of(n_questions, texts, draw)
    corpus = Corpus(str(path))
    log_texts(corpus, texts)
    log_runs(corpus, [LoggedRun(*run, seed) for seed, run in enumerate(runs)], texts, asked)
    return corpus


def report(corpus: Corpus, path: Path, run_ids: list[str] | None = None) -> str:
    html = write_evaluation_report(corpus, path / "report.html", run_ids).read_text()
    Page(html)
    return html


def test_a_report_needs_nothing_else_and_closes_what_it_opens(tmp_path: Path) -> None:
    html = report(folder(tmp_path / "corpus", [("a", 1, GOOD), ("b", 2, GOOD), ("c", 2, POOR)]), tmp_path)
    page = Page(html)
    assert page.links == []
    assert not {"script", "link", "img", "iframe"} & set(page.tags)
    assert "nan" not in re.sub(r"[a-z]nan|nan[a-z]", "", html)
    for title in ("Scores by recipe", "Recall over IoU", "IoU against embedding time", "Score over what is returned"):
        assert f"<h2>{title}</h2><figure>" in html
    for title in ("Where questions were lost", "Questions by domain", "Trend over generations", "Lengths of chunks"):
        assert f"<h2>{title}</h2><figure>" in html
    assert "Nothing to show" not in html
    assert html.count('<details class="question">') == 12
    assert '<mark class="missed">' in html and '<mark class="found">' in html and '<mark class="retrieved">' in html


def test_only_the_last_run_of_each_recipe_is_shown_and_those_that_were_asked_for(tmp_path: Path) -> None:
    corpus = folder(tmp_path / "corpus", [("first", 1, GOOD), ("second", 2, GOOD), ("third", 2, POOR)])
    assert [run.logged.run_id for run in read_report_data(corpus).runs] == ["second", "third"]
    assert read_report_data(corpus).details.run.logged.run_id == "second"
    assert [run.logged.run_id for run in read_report_data(corpus, ["first"]).runs] == ["first"]
    with pytest.raises(InputError, match="holds no evaluation absent: see its table metrics"):
        read_report_data(corpus, ["first", "absent"])


@pytest.mark.slow
def test_thirty_generations_make_a_trend_and_the_alarm_speaks(tmp_path: Path) -> None:
    corpus = folder(tmp_path / "corpus", [(f"run{at}", at, GOOD) for at in range(1, 34)], n_questions=6)
    facts = read_report_data(corpus)
    assert [night.logged.generation for night in facts.nights] == list(range(4, 34))
    assert re.match(r"Nightly check of recall@5: (no )?alarm: ", facts.alarm)
    assert len(facts.runs) == 1


@pytest.mark.slow
def test_sixty_recipes_of_an_experiment_stay_small(tmp_path: Path) -> None:
    runs = [(f"run{at}", 0, Setting(f"recursive {at}", at / 62, 100 + at, seconds=at + 1.0)) for at in range(62)]
    html = report(folder(tmp_path / "corpus", runs, n_questions=8), tmp_path)
    assert html.count('<td class="recipe">') == 60
    assert "Older recipes that are not shown: 2." in html and "The 5 best of 60 recipes." in html
    assert "a trend needs evaluations of two generations" in html
    assert len(html) < 1_000_000


def test_many_questions_are_shown_in_part_those_without_gold_first(tmp_path: Path) -> None:
    html = report(folder(tmp_path / "corpus", [("run", 1, GOOD)], n_questions=MOST_QUESTIONS + 20), tmp_path)
    assert html.count('<details class="question">') == MOST_QUESTIONS
    assert f"The first {MOST_QUESTIONS} are shown; 20 are not." in html
    recalls = [float(value) for value in re.findall(r'"badge">recall ([\d.]+)<', html)]
    assert recalls == sorted(recalls)
    assert len(html) < 3_000_000


def test_budgets_make_the_curve_of_what_is_returned(tmp_path: Path) -> None:
    budgets = GOOD._replace(budgets=(500, 1000, 4000))
    html = report(folder(tmp_path / "corpus", [("run", 1, budgets)]), tmp_path)
    assert "budget, tokens" in html and "4000 tokens: budget_recall" in html
    assert "tokens returned" in report(folder(tmp_path / "other", [("run", 1, GOOD)]), tmp_path)


def test_a_question_whose_gold_is_not_in_the_corpus_comes_first_with_its_reason(tmp_path: Path) -> None:
    corpus = folder(tmp_path / "corpus", [("run", 1, GOOD)])
    of = {"run_id": "run", "question_id": "gone", "split": "test", "domain": "law"}
    score = {"metric": "located", "cutoff_unit": "passages", "cutoff": 0, "value": 0.0, "lost": "no document"}
    lance.append_to_log(corpus, "scores", make_table_from_rows([{**of, **score, "evaluated_at": BEGAN}], SCORES))
    asked = {"question": "Where is it?", "documents": ["gone.pdf"], "gold": []}
    lance.append_to_log(corpus, "questions", make_table_from_rows([{**of, **asked}], QUESTIONS))
    html = report(corpus, tmp_path)
    first = html.partition('<details class="question">')[2].partition("</details>")[0]
    assert "lost: no document" in first and "not scored" in first and "Where is it?" in first
    assert "gone.pdf, the whole document" in first and "no document: 1" in html


def test_one_question_has_no_interval(tmp_path: Path) -> None:
    html = report(folder(tmp_path / "corpus", [("run", 1, GOOD)], n_questions=1), tmp_path)
    assert "1.000, no interval" in html and "1 recipe, 1 question, generation 1" in html


def test_what_the_logs_lack_is_said_in_a_line(tmp_path: Path) -> None:
    corpus = folder(tmp_path / "corpus", [("run", 1, POOR)])
    for table in ("recipes", "retrieved", "texts", "questions"):
        lance.connect_to_lancedb(corpus).drop_table(table)
    lance.open_table(corpus, "scores").drop_columns(["lost"])
    html = report(corpus, tmp_path)
    assert html.count("Nothing to show") == 6
    assert "have not logged why gold was lost" in html and "have not logged the lengths of chunks" in html
    assert "recipe poor-recipe" in html


def test_hostile_names_and_texts_are_shown_as_text(tmp_path: Path) -> None:
    corpus, path = Corpus(str(tmp_path / "<script>alert(2)<")), f"{HOSTILE}.pdf"
    texts = {path: f"{HOSTILE}\n" * 60}
    log_texts(corpus, texts)
    asked = [Question(HOSTILE, path, (10, 90), HOSTILE), Question("other", path, (900, 1000), "law")]
    log_runs(corpus, [LoggedRun(f"run{number}", number, Setting(HOSTILE), number) for number in (1, 2)], texts, asked)
    html = report(corpus, tmp_path)
    page = Page(html)
    assert page.links == []
    assert not {"script", "img"} & set(page.tags)
    assert "\u202e" not in html and "&lt;script&gt;alert(1)" in html


def test_texts_come_from_the_generation_of_the_run(tmp_path: Path) -> None:
    texts = {"law/a.txt": "The heron waits by the weir until the flood is over and the fish come back to the mill.\n" * 3}
    publish_corpus(str(tmp_path / "corpus"), texts)
    corpus = Corpus(str(tmp_path / "corpus"))
    runs = [LoggedRun(f"run{number}", number, GOOD, number) for number in (1, 2)]
    log_runs(corpus, runs, texts, [Question("q", "law/a.txt", (4, 40), "law")])
    assert "heron waits by the weir" in report(corpus, tmp_path, ["run1"])
    assert "generation 2 is no longer kept; evaluate the live one" in report(corpus, tmp_path, ["run2"])


def test_a_folder_without_evaluations_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no evaluation to report on: run pagemill evaluate"):
        write_evaluation_report(Corpus(str(tmp_path)), tmp_path / "report.html")
