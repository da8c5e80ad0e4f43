"""What is told of a generation with its asset has what was measured of it, and names no document."""

import json
from datetime import UTC, datetime
from pathlib import Path

from expectations.expected import IN_SET, Finding
from schemas.corpus import Corpus
from tasks.evaluate.comparison import Pair, judge_regression
from tasks.publish.io.recall import RECALL_FILE
from tasks.publish.io.reports.assets import describe_materialization
from tasks.store import files
from tasks.store.published import Generation
from tests.tasks.publish.io.reports.test_summary import run, verdict

COUNTS = {"n_documents": 41, "n_chunks": 900}


def test_recall_of_questions_and_of_the_index_is_told_where_it_was_measured(tmp_path: Path) -> None:
    here = run().model_copy(update={"corpus": Corpus(str(tmp_path))})
    asked = judge_regression("recall@5", [Pair("q1", "a.pdf", 1.0, 1.0), Pair("q2", "b.pdf", 1.0, 0.5)], 0.9, 0.95, 100, 1)
    warned = Finding(
        suite="documents", position=0, expectation=IN_SET, column="accounted", severity="warning", success=False,
        observed='{"unexpected": 1, "of": 41, "examples": [{"path": "secret.pdf"}]}', allowed="{}",
    )  # fmt: skip
    generation = Generation(
        **dict.fromkeys(("kind", "recipe", "recipe_details", "embedder"), "x"), generation=7, format=2, base=6, run_id="run-1",
        published_at=datetime.now(UTC).isoformat(), columns={}, versions={}, counts=COUNTS, gate={}, profile={}, held=False,
        options={},
    )  # fmt: skip
    told = describe_materialization(here, generation, verdict(asked, warned))
    assert (told["generation"], told["counts"], told["n_warnings"], told["recall"]) == (7, COUNTS, 1, {"recall@5": 0.75})
    files.write_atomically(here.folder / RECALL_FILE, b"0.98")
    told = describe_materialization(here, generation, verdict(asked, warned))
    assert told["recall"] == {"recall@5": 0.75, "index": 0.98}
    assert "secret.pdf" not in json.dumps(told)
