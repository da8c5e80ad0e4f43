"""Candidates and fine-tuning as runs of a Prefect server: their names, what they show, and that a purge finds their traces."""

import json
from pathlib import Path
from typing import Any

import pytest
from prefect.client.orchestration import get_client

from flows.finetune import finetune
from flows.forget import delete_traces, find_server_traces_of_documents
from schemas.corpus import Corpus
from schemas.options.finetune import FinetuneOptions
from tasks.publish.io.candidates import discard_candidate, place_candidate
from tasks.publish.io.reports.names import make_artifact_key
from tests.flows.candidates.questions import questions_in
from tests.flows.conftest import refreshing

pytestmark = pytest.mark.slow


def test_what_the_server_has_of_a_document_of_a_candidate_is_found_even_when_the_candidate_is_gone(
    prefect_api: str, source: Path, home: Corpus, other_embedder: str, _workers_are_kept: None
) -> None:
    (source / "secret.md").write_text("# Broken\0")
    candidate = place_candidate(home, "other")
    refreshing(prefect_api, embed={"model": other_embedder}, gate={"max_reject_share": 0.5})(source, candidate.folder)
    with get_client(sync_client=True) as client:
        (run,) = [run for run in client.read_flow_runs() if run.parameters.get("corpus") == str(candidate)]
    assert (run.name, set(run.tags)) == ("source into corpus, candidate other", {"corpus", "corpus, candidate other"})
    discard_candidate(home, "other")
    found = find_server_traces_of_documents(str(home), ["secret.md"])
    assert found.artifacts or found.task_runs or found.flow_runs
    delete_traces(found)
    assert not find_server_traces_of_documents(str(home), ["secret.md"]).artifacts
    assert not any(find_server_traces_of_documents(str(home.folder.parent / "another"), ["secret.md"]))


def test_a_flow_tunes_a_model_and_shows_its_card(prefect_api: str, home: Corpus, tmp_path: Path) -> None:
    lines = [json.loads(line) for line in Path(questions_in(tmp_path)).read_text().splitlines()]
    asked = [{**line, "id": f"{line['id']}{split}", "split": split} for split in ("train", "test") for line in lines]
    asked = [{**one, "question": f"{one['question']} Or when?"} if one["split"] == "train" else one for one in asked]
    asked[0]["gold"] = [{"document": "guide.md", "quote": "level ground"}]
    asked[1]["gold"] = [{"document": "sub/plan.md", "quote": "The garden opens"}]
    (tmp_path / "asked.jsonl").write_text("\n".join(map(json.dumps, asked)))
    options = FinetuneOptions(epochs=1, learning_rate=1e-3)
    card: dict[str, Any] = finetune(str(home), str(tmp_path / "asked.jsonl"), str(tmp_path / "tuned"), options)
    assert (card["counts"]["train"], card["counts"]["held_out"], card["counts"]["left_out"]) == (2, 3, 1)
    with get_client(sync_client=True) as client:
        (run,) = [run for run in client.read_flow_runs() if run.parameters.get("out") == str(tmp_path / "tuned")]
        artifact = next(one for one in client.read_artifacts() if one.key == make_artifact_key("finetune", str(home)))
    assert (run.name, run.tags) == ("tuned from questions about corpus", ["corpus"])
    assert "Learnt from 2 questions" in str(artifact.data) and "heron" not in str(artifact.data)
