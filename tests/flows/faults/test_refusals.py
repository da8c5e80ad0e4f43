"""A refused draft says what keeps the gate shut, which documents were rejected, and what to do."""

from pathlib import Path
from typing import Any

import pytest
from prefect.artifacts import Artifact

from schemas.corpus import Corpus
from schemas.errors import GateError
from tasks.publish.io.reports.names import make_artifact_key
from tasks.publish.io.validate import read_validations
from tests.flows.conftest import Refresh


def test_too_many_rejected_documents_are_named_with_the_remedy_in_message_and_ui(
    prefect_refresh: Refresh, tmp_path: Path
) -> None:
    source, corpus = tmp_path / "mostly-broken", tmp_path / "corpus"
    source.mkdir()
    (source / "good.txt").write_text("The heron stands in the river.")
    for n in range(7):
        (source / f"broken-{n}.pdf").write_bytes(b"%PDF-1.7 and nothing more " + bytes([n]))
    with pytest.raises(GateError) as refused:
        prefect_refresh(source, corpus)
    message = str(refused.value)
    assert "7 of 8 documents rejected, 2 allowed (gate.max_reject_share); correct or exclude the rejected documents" in message
    assert "expect_" not in message
    assert "rejected: broken-0.pdf: the file is not a PDF" in message
    assert "and 2 more documents" in message
    shown: Any = Artifact.get(make_artifact_key("refresh-refused", str(corpus)))
    assert all(f"| broken-{n}.pdf | parse | the file is not a PDF" in shown.data for n in range(7))
    assert "- 7 of 8 documents rejected, 2 allowed" in shown.data
    assert "expect_" not in shown.data
    assert not [row for row in read_validations(Corpus(str(corpus))) if "expect_" in row["finding"]]
