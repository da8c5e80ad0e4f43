import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from schemas.corpus import Corpus
from schemas.errors import ConflictError, InputError
from schemas.options.experiment import ExperimentOptions
from schemas.options.sections import EvaluateOptions
from tasks.evaluate.io.compare import compare_evaluations
from tasks.experiment.io import run
from tasks.experiment.io.vectors import VectorFile
from tasks.experiment.table import MeasuredRecipe, make_recipe_lines
from tasks.store import lance, published
from tests.tasks.experiment.io.conftest import QUESTIONS, TEXTS, asking


def experiment(options: ExperimentOptions, out: Path) -> list[MeasuredRecipe]:
    with run.plan_and_lock_experiment(options, Corpus(str(out))) as plan:
        if cells := run.find_unfinished_cells(plan):
            prepared = run.parse_documents_and_locate_gold(plan)
            for cell in cells:
                run.measure_cell(plan, prepared, cell)
        return run.read_measured_recipes(plan)


def values(row: MeasuredRecipe) -> dict[tuple[str, str, int], float]:
    return {(one["metric"], one["cutoff_unit"], one["cutoff"]): one["value"] for one in row["metrics"]}


def test_every_configuration_is_a_run_in_the_logs(options: ExperimentOptions, tmp_path: Path) -> None:
    found = experiment(options, tmp_path / "out")
    assert [row["name"] for row in found] == [
        f"{chunker} 64, {ranking}, chunks" for chunker in ("sentence", "recursive") for ranking in ("dense", "sum")
    ]
    out = Corpus(str(tmp_path / "out"))
    for row in found:
        assert row["n_documents"] == len(TEXTS)
        assert row["n_chunks"] == sum(row["lengths"]) > len(TEXTS)
        assert (row["embedding_seconds"] or 0) > 0
        assert json.loads(row["options"])["chunk"]["size_tokens"] == 64
        assert values(row)["located", "chunks", 0] == 1
        assert 0 < values(row)["precision_omega", "chunks", 0] < 1
    assert {row["path"]: row["text"] for row in published.read_log(out, "texts").to_pylist()}["mill.txt"] == TEXTS["mill.txt"]
    assert published.read_log(out, "questions").num_rows == len(found) * len(QUESTIONS)
    assert published.read_log(out, "retrieved").num_rows == len(found) * len(QUESTIONS) * (1 + 3)
    compared = compare_evaluations(out, found[0]["run_id"], found[3]["run_id"], "recall", 3, EvaluateOptions())
    assert {one.n for one, _ in compared.metrics if one.metric == "recall"} == {len(QUESTIONS)}


def test_a_second_run_computes_nothing(options: ExperimentOptions, tmp_path: Path, embedded: list[str]) -> None:
    first = experiment(options, tmp_path / "out")
    version = lance.open_table(Corpus(str(tmp_path / "out")), "scores").version
    embedded.clear()
    assert experiment(options, tmp_path / "out") == first
    assert embedded == []
    assert lance.open_table(Corpus(str(tmp_path / "out")), "scores").version == version


def test_one_chunker_more_does_only_the_new_work(options: ExperimentOptions, tmp_path: Path, embedded: list[str]) -> None:
    experiment(options, tmp_path / "out")
    known = set(embedded)
    embedded.clear()
    grids = [{"strategy": ["sentence", "recursive"], "size_tokens": 64}, {"strategy": "token-window", "size_tokens": 64}]
    more = ExperimentOptions.model_validate({**options.model_dump(mode="json"), "chunkers": grids})
    found = experiment(more, tmp_path / "out")
    assert len(found) == 6
    assert embedded and len(set(embedded)) == len(embedded)
    assert not known & set(embedded)
    assert found == experiment(more, tmp_path / "out")


def test_a_killed_experiment_continues_where_it_was(
    options: ExperimentOptions, tmp_path: Path, embedded: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = experiment(options, tmp_path / "whole")
    expected = sorted(embedded)
    embedded.clear()
    encode, n_calls = VectorFile.encode_queries, []

    def killed(self: VectorFile, texts: Sequence[str]) -> Any:
        n_calls.append(len(texts))
        if len(n_calls) == 2:  # those of the second cell, after its chunks
            raise KeyboardInterrupt
        return encode(self, texts)

    with monkeypatch.context() as context, pytest.raises(KeyboardInterrupt):
        context.setattr(VectorFile, "encode_queries", killed)
        experiment(options, tmp_path / "out")
    with run.plan_and_lock_experiment(options, Corpus(str(tmp_path / "out"))) as plan:
        assert [cell.name for cell in run.find_unfinished_cells(plan)] == ["recursive 64"]
    again = experiment(options, tmp_path / "out")
    assert sorted(embedded) == expected
    assert list(map(values, again)) == list(map(values, whole))


def test_other_questions_and_other_documents_are_other_runs(options: ExperimentOptions, tmp_path: Path) -> None:
    first = {row["run_id"] for row in experiment(options, tmp_path / "out")}
    asking(tmp_path, QUESTIONS[:3])
    second = {row["run_id"] for row in experiment(options, tmp_path / "out")}
    (Path(options.source) / "new.txt").write_text("The weir holds the river.")
    third = {row["run_id"] for row in experiment(options, tmp_path / "out")}
    assert len(first | second | third) == 3 * len(first)


def test_embedders_that_count_alike_share_chunks_and_have_vectors_of_their_own(
    options: ExperimentOptions, tmp_path: Path, embedded: list[str]
) -> None:
    both = [one.model_copy(update={"dimensions": n}) for one in options.embedders for n in (8, 16)]
    found = experiment(options.model_copy(update={"embedders": tuple(both)}), tmp_path / "out")
    assert len(found) == 8 and len({row["name"] for row in found}) == 8
    folder = tmp_path / "out" / ".pagemill" / "staging"
    assert len(list((folder / "chunk").iterdir())) == 2
    assert len(list((folder / "vectors").iterdir())) == 2
    assert len(embedded) == 2 * len(set(embedded))


def test_vectors_of_sentences_are_computed_once(options: ExperimentOptions, tmp_path: Path, embedded: list[str]) -> None:
    grids = [{"strategy": "semantic-percentile", "size_tokens": 64, "percentile": [50, 75, 95]}]
    experiment(ExperimentOptions.model_validate({**options.model_dump(mode="json"), "chunkers": grids}), tmp_path / "out")
    assert len(embedded) == len(set(embedded))


def test_budgets_are_scored_beside_cutoffs(options: ExperimentOptions, tmp_path: Path) -> None:
    for row in experiment(options.model_copy(update={"budgets": (32, 512)}), tmp_path / "out"):
        found = values(row)
        assert found["budget_recall", "tokens", 512] >= found["budget_recall", "tokens", 32]
        assert make_recipe_lines([row])[0].keys() >= {"recall@3", "recall@32 tokens", "recall@512 tokens"}


def test_a_document_that_cannot_be_read_is_left_out(options: ExperimentOptions, tmp_path: Path) -> None:
    (Path(options.source) / "broken.pdf").write_bytes(b"%PDF-1.7 nothing")
    (Path(options.source) / "blank.txt").write_text(" \n")
    with run.plan_and_lock_experiment(options, Corpus(str(tmp_path / "out"))) as plan:
        prepared = run.parse_documents_and_locate_gold(plan)
    assert prepared.n_unread == 2
    assert len(prepared.located.questions) == len(QUESTIONS)


def test_one_question_has_no_interval_and_the_table_says_so(options: ExperimentOptions, tmp_path: Path) -> None:
    asking(tmp_path, QUESTIONS[:1])
    shown = make_recipe_lines(experiment(options, tmp_path / "out"))
    assert all(str(line["recall@3"]).endswith("(one question: no interval)") for line in shown)


def test_a_question_that_is_not_found_lowers_located_only(options: ExperimentOptions, tmp_path: Path) -> None:
    gone = {"id": "gone", "question": "flamingo?", "gold": [{"document": "mill.txt", "quote": "flamingo"}]}
    asking(tmp_path, [*QUESTIONS[:1], gone])
    for row in experiment(options, tmp_path / "out"):
        assert values(row)["located", "chunks", 0] == 0.5
        assert {one["n"] for one in row["metrics"] if one["cutoff"] and one["metric"] == "recall"} == {1}


def test_questions_of_other_documents_are_refused(options: ExperimentOptions, tmp_path: Path) -> None:
    asking(tmp_path, [{"id": "1", "question": "Who?", "documents": ["other.pdf"]}])
    with pytest.raises(InputError, match=r"no question of .* names a document of .*: they name other.pdf, and the folder"):
        experiment(options, tmp_path / "out")
    asking(tmp_path, [{"id": "1", "question": "Who?", "gold": [{"document": "mill.txt", "quote": "flamingo"}]}])
    with pytest.raises(InputError, match="no question can be scored against the documents of"):
        experiment(options, tmp_path / "out")


def test_nothing_to_ask_and_nothing_to_read_are_refused(options: ExperimentOptions, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="holds no documents"):
        experiment(options.model_copy(update={"source": str(tmp_path / "empty")}), tmp_path / "out")
    Path(options.questions).write_text("\n")
    with pytest.raises(InputError, match="holds no questions"):
        experiment(options, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_two_experiments_in_one_folder_do_not_mix(options: ExperimentOptions, tmp_path: Path) -> None:
    out = Corpus(str(tmp_path / "out"))
    with run.plan_and_lock_experiment(options, out), pytest.raises(ConflictError), run.plan_and_lock_experiment(options, out):
        pass
