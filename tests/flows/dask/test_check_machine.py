"""A machine that cannot do a run's work says why before it begins."""

from pathlib import Path

import pytest

from schemas.corpus import Corpus
from schemas.errors import InputError
from schemas.options.sections import RefreshOptions
from schemas.references import Batch, Handover
from tasks.refresh.io.dask.remote import check_machine, open_batch
from tasks.refresh.io.facts import make_recipes
from tasks.refresh.run import Run


@pytest.fixture
def run(tmp_path: Path, tiny_embedder: str) -> Run:
    options = RefreshOptions.model_validate({"embed": {"model": tiny_embedder}})
    (tmp_path / "source").mkdir()
    made = Run(
        run_id="r",
        source=str(tmp_path / "source"),
        corpus=Corpus(str(tmp_path / "corpus")),
        options=options,
        recipes=make_recipes(options),
        base=0,
        listed_at_ns=0,
    )
    made.folder.mkdir(parents=True)
    return made


def test_a_machine_like_the_flows_passes_and_leaves_its_name(run: Run) -> None:
    check_machine(run)
    assert len(list((run.folder / "machines").iterdir())) == 1


@pytest.mark.parametrize("missing", ["source", "corpus"])
def test_a_machine_that_does_not_reach_source_or_corpus_is_refused(run: Run, missing: str, tmp_path: Path) -> None:
    nowhere = str(tmp_path / "nowhere")
    moved = run.model_copy(update={missing: Corpus(nowhere) if missing == "corpus" else nowhere})
    with pytest.raises(InputError, match=rf"worker \S+ does not reach the {missing} {nowhere}: give it the same folders"):
        check_machine(moved)


def test_a_machine_with_other_programs_is_refused(run: Run) -> None:
    details = run.recipes.details.replace('"onnxruntime": "', '"onnxruntime": "9')
    elsewhere = run.model_copy(update={"recipes": run.recipes.model_copy(update={"details": details})})
    with pytest.raises(InputError, match=r"would compute something else \(parse.libraries.onnxruntime: 9[\d.]+ → [\d.]+\)"):
        check_machine(elsewhere)


def test_a_batch_of_another_version_is_refused(run: Run) -> None:
    handover = Handover(version="0.0.9", rows={}, earlier={}).model_dump_json()
    with pytest.raises(InputError, match=r"has Pagemill [\d.]+, and this refresh has 0\.0\.9"):
        open_batch(Batch(corpus=run.corpus, contents=()), run, "parse", handover)
