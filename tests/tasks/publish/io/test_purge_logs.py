from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from schemas.conform import make_table_from_rows
from schemas.corpus import Corpus
from schemas.tables.evaluations import QUESTIONS
from tasks.publish.io.purge_logs import _write_literal, delete_log_rows_naming, does_value_name_path
from tasks.store import lance
from tests.soak.state import traces


@pytest.mark.parametrize(
    ("row", "named"),
    [
        ({"documents": ["a.txt"]}, True),
        ({"gold": [{"document": "a.txt", "start": 1}]}, True),
        ({"observed": '{"examples": ["a.txt"]}'}, True),
        ({"documents": ["data.txt", "sub/a.txt", "a.txt.md"]}, False),
        ({"observed": '{"examples": ["data.txt"]}', "position": 3}, False),
    ],
)
def test_only_rows_that_name_the_very_document_are_forgotten(row: dict[str, Any], named: bool) -> None:
    assert does_value_name_path(row, "a.txt") == named


def test_keys_with_quotes_are_written_as_sql() -> None:
    assert (_write_literal("q's"), _write_literal(3)) == ("'q''s'", "3")


def test_rows_that_a_killed_purge_deleted_are_taken_out_of_their_files_too(tmp_path: Path) -> None:
    row = {"run_id": "r", "question_id": "q", "question": "Where?", "documents": ["secret.txt"], "gold": [], "answer": None}
    row |= {"domain": "all", "split": "all"}
    table = lance.ensure_table(Corpus(str(tmp_path)), "questions", QUESTIONS)
    table.add(make_table_from_rows([{**row, "question_id": "kept", "documents": ["a.txt"]}, row], QUESTIONS))
    table.delete("question_id = 'q'")
    delete_log_rows_naming(Corpus(str(tmp_path)), "questions", "secret.txt")
    lance.delete_old_versions(Corpus(str(tmp_path)), "questions", timedelta(0), unfinished=True)
    assert traces(tmp_path, b"secret.txt") == []
    assert lance.open_table(Corpus(str(tmp_path)), "questions").count_rows() == 1
