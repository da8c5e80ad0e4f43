"""Data Docs have a page for each suite and each of its runs, and show what documents are called without obeying it."""

import html
import json
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner

from expectations.expected import BETWEEN, DRIFT, IN_SET, MEAN, NO_FALL, QUANTILES, ROWS, ROWS_BETWEEN, Finding
from expectations.sentences import WORDS, describe_finding
from flows.cli.main import make_cli_application
from schemas.conform import make_table_from_rows
from schemas.corpus import Corpus
from schemas.errors import InputError
from schemas.shown import plain
from schemas.tables.validations import VALIDATIONS
from tasks.store import lance
from tests.tasks.hostile import HOSTILE

NAMES = (*HOSTILE, "$cost of ${column} $$.pdf", "Ł œ 中.pdf")
COVERED = {"unexpected": 1, "of": 41}
REJECTED = {"value_set": [False], "rejects": "30 %"}
LENGTHS = {"quantile_ranges": {"quantiles": [0.5, 0.95], "value_ranges": [[8, 256], [16, 256]]}}
SEARCHED = {"metric": "recall@5", "n": 9, "before": 0.9, "after": 0.8, "fall": 0.1, "least": 0.05}
TEXTS = {"places": "any number", "copies": "5 %", "rejects": "1"}
ANY = {"mostly": 0.9, "value": 3, "min_value": 1, "max_value": 5, "value_set": [True], **TEXTS}
HELD = tuple(
    (suite, kind, column, 3 if kind in (ROWS, ROWS_BETWEEN, MEAN) else {"unexpected": 0, "of": 7}, ANY)
    for suite, column, kind in WORDS
    if kind not in (DRIFT, QUANTILES, NO_FALL) and suite != "vector_index"
)
"""Every expectation that there is, but for those of which FOUND has what they take."""

FOUND: tuple[tuple[str, str, str, object, object], ...] = (
    ("documents", ROWS, "", 41, {"value": 41}),
    *(
        ("documents", BETWEEN, "coverage", {**COVERED, "examples": [{"path": name, "coverage": 0.1}]}, {"min_value": 0.98})
        for name in NAMES
    ),
    ("documents", IN_SET, "rejected", {"unexpected": 3, "of": 41, "examples": [*NAMES]}, REJECTED),
    ("chunks", DRIFT, "n_tokens", 0.48, {"threshold": 0.25}),
    ("chunks", IN_SET, "new", {"unexpected": 0, "of": 0}, {"value_set": [True], "where": "new == True"}),
    ("lengths", QUANTILES, "n_tokens", {"quantiles": [0.5, 0.95], "values": [40, 100]}, LENGTHS),
    ("figures_references", IN_SET, "known", {"error": "column known is missing"}, {"value_set": [True]}),
    ("retrieval", NO_FALL, "", SEARCHED, {"max_drop": 0.02, "confidence": 0.95}),
    ("vector_index", BETWEEN, "", {"recall": 0.99, "n": 100, "k": 10}, {"min_value": 0.95}),
    *HELD,
)


def log_findings(corpus: Path, run: str, night: int, success: bool) -> list[Finding]:
    found = [
        Finding(
            suite=suite,
            position=position,
            expectation=kind,
            column=column,
            severity="critical",
            success=success,
            observed=json.dumps(observed),
            allowed=json.dumps(allowed),
        )
        for position, (suite, kind, column, observed, allowed) in enumerate(FOUND)
    ]
    rows = [{**one.model_dump(), "run_id": run, "validated_at": datetime(2026, 11, night, tzinfo=UTC)} for one in found]
    lance.append_to_log(Corpus(str(corpus)), "validations", make_table_from_rows(rows, VALIDATIONS))
    return found


def test_each_suite_and_each_of_its_runs_has_a_page_with_the_sentences_of_its_findings(tmp_path: Path) -> None:
    corpus, docs = tmp_path / "my <i>corpus", tmp_path / "docs"
    found = {run: log_findings(corpus, run, night, night == 2) for night, run in ((1, "first"), (2, "second"))}
    called = CliRunner().invoke(
        make_cli_application(), ["validations", "--corpus", str(corpus), "--docs", str(docs)], catch_exceptions=False
    )
    assert called.output == f"open {docs / 'index.html'}\n"
    suites = {row[0] for row in FOUND}
    assert {path.stem for path in (docs / "expectations").glob("*.html")} == suites
    index = (docs / "index.html").read_text()
    for run, findings in found.items():
        for suite in suites:
            (page,) = (docs / "validations" / suite / run).rglob("*.html")
            assert page.relative_to(docs).as_posix() in index
            text = page.read_text()
            assert ("</i> Failed" if run == "first" else "</i> Succeeded") in text
            sentences = [html.escape(plain(describe_finding(one))) for one in findings if one.suite == suite]
            assert [sentence for sentence in sentences if sentence not in text] == []
    whole = "".join(path.read_text() for path in docs.rglob("*.html"))
    assert not [name for name in (*HOSTILE, "<i>corpus") if "<" in name and name in whole]


@pytest.mark.parametrize(
    ("more", "said"), [(["--docs", "."], ". is no empty folder"), (["--docs", "new", "--run", "first"], "leave out --run")]
)
def test_a_folder_that_holds_something_is_refused_and_so_is_one_run(tmp_path: Path, more: list[str], said: str) -> None:
    log_findings(tmp_path, "first", 1, True)
    with pytest.raises(InputError, match=re.escape(said)):
        CliRunner().invoke(make_cli_application(), ["validations", "--corpus", str(tmp_path), *more], catch_exceptions=False)
    assert not Path("new").exists()
