import json
from pathlib import Path

import pytest

from flows.settings import read_evaluate_options, read_refresh_options
from schemas.corpus import Corpus
from schemas.errors import InputError
from schemas.options.experiment import ExperimentOptions
from tasks.experiment.grid import Cell
from tasks.experiment.io import run
from tests.tasks.experiment.io.test_run import experiment


def advice(options: ExperimentOptions, out: Path) -> list[str]:
    found = experiment(options, out)
    with run.plan_and_lock_experiment(options, Corpus(str(out))) as plan:
        return run.recommend_recipe(plan, found)


def test_the_advice_names_rule_recipe_evidence_and_cost_and_its_settings_can_be_used(
    options: ExperimentOptions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grids = [{"strategy": "semantic-percentile", "size_tokens": [48, 64], "percentile": 75, "context": ["title"]}]
    chosen = ExperimentOptions.model_validate({**options.model_dump(mode="json"), "chunkers": grids})
    lines = advice(chosen, tmp_path / "out")
    assert lines[0].startswith("rule: the highest iou@1 of the recipes whose recall@1")
    assert lines[1].startswith("recommended: semantic-percentile ")
    assert "chunks, " in lines[2] and " s of embedding" in lines[2]
    assert any("default recipe was not measured" in line for line in lines)
    monkeypatch.setenv("PAGEMILL_CONFIG", str(tmp_path / "out" / "pagemill.toml"))
    settings = read_refresh_options({})
    assert settings.chunk in [one.chunk for one in _cells(chosen, tmp_path / "out")]
    assert settings.embed.model == options.embedders[0].model
    assert read_evaluate_options({}).returned == "chunks"


def _cells(options: ExperimentOptions, out: Path) -> tuple[Cell, ...]:
    with run.plan_and_lock_experiment(options, Corpus(str(out))) as plan:
        return plan.cells


def test_a_metric_that_nothing_has_is_refused(options: ExperimentOptions, tmp_path: Path) -> None:
    changed = ExperimentOptions.model_validate(
        {**options.model_dump(mode="json"), "recommend": {"metric": "beauty", "cutoff": 3}}
    )
    with pytest.raises(InputError, match=r"no recipe has both beauty@3 and recall@3: choose of .*, hit_rate, iou"):
        advice(changed, tmp_path / "out")


def test_what_no_corpus_can_have_is_not_recommended(options: ExperimentOptions, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="add sum, dense or lexical to ranking"):
        advice(options.model_copy(update={"ranking": ("rrf",)}), tmp_path / "out")


def test_words_alone_need_no_vectors(options: ExperimentOptions, tmp_path: Path, embedded: list[str]) -> None:
    found = experiment(options.model_copy(update={"ranking": ("lexical",)}), tmp_path / "out")
    assert [row["embedding_seconds"] for row in found] == [None, None]
    assert embedded == []
    assert json.loads(found[0]["options"])["evaluate"]["ranking"] == "lexical"
