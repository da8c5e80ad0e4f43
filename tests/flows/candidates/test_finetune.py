"""A tuned model learns, is the same each time, says what it was made of, and can take the place of its base."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file

from flows.cli.models import finetune as command
from schemas.corpus import Corpus
from schemas.errors import InputError
from schemas.options.finetune import FinetuneOptions
from schemas.options.sections import EmbedOptions
from tasks.embed.io import torch_engine
from tasks.embed.io.providers import open_provider
from tasks.finetune.io import collect, finetune
from tasks.finetune.io.learn import tune_model
from tasks.publish.io.candidates import place_candidate
from tasks.publish.io.switch import switch_to_candidate
from tasks.search.io.retrieve import open_searcher
from tasks.store.fingerprints import compute_weights_digest
from tests.flows.conftest import Refresh
from tests.soak.tiny_embedder import POSITIONS

pytestmark = pytest.mark.slow

TOPICS = ["heron", "weir", "pump", "engine", "garden", "reservoir", "turbine", "ledger", "kiln", "loom", "anvil", "sluice"]
FAST = FinetuneOptions(epochs=12, batch_questions=4, learning_rate=3e-2, negatives=2)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "source"
    folder.mkdir()
    for at, topic in enumerate(TOPICS):
        (folder / f"{topic}.txt").write_text(f"The {topic} stands in yard {at}. Nobody moved it since {1800 + at}.")
    return folder


@pytest.fixture
def questions(tmp_path: Path) -> str:
    lines = [
        {"id": topic, "question": f"Where is the {topic}?", "split": "test" if at % 3 == 0 else "train",
         "gold": [{"document": f"{topic}.txt", "quote": f"stands in yard {at}"}]}
        for at, topic in enumerate(TOPICS)
    ]  # fmt: skip
    lines.append({"id": "none", "question": "Who?", "split": "train", "gold": [{"document": "gone.txt", "quote": "nobody"}]})
    (tmp_path / "questions.jsonl").write_text("\n".join(map(json.dumps, lines)))
    return str(tmp_path / "questions.jsonl")


def tuned(home: Corpus, questions: str, out: Path, options: FinetuneOptions = FAST) -> dict[str, Any]:
    return command.run_finetuning(home, questions, str(out), options)


def test_a_tuned_model_learns_says_so_and_takes_the_place_of_its_base(
    plain: Refresh, source: Path, home: Corpus, questions: str, tmp_path: Path, tiny_embedder: str
) -> None:
    out = tmp_path / "tuned"
    card = tuned(home, questions, out)
    assert card["last_loss"] < 0.7 * card["first_loss"]
    counts = card["counts"]
    assert (counts["train"], counts["held_out"], counts["unplaced"], counts["chunks"]) == (8, 4, 1, len(TOPICS))
    assert card["base_weights"] != card["weights"] and {figure["n"] for figure in card["figures"]} == {4}
    said = (out / "README.md").read_text()
    assert json.loads(said.partition("```json")[2].partition("```")[0]) == card
    assert compute_weights_digest(out) == card["weights"]
    assert "Learnt from 8 questions" in said and "| chunk_recall@5 | " in said
    assert not any(word in said for word in ("yard", "Where is", *TOPICS)) and str(tmp_path) not in said
    assert learnt_ranks(home, questions, out) < learnt_ranks(home, questions, Path(tiny_embedder))

    plain(source, place_candidate(home, "tuned").folder, embed={"model": str(out)})
    assert switch_to_candidate(home, "tuned")["options"] == {"embed.model": str(out)}
    assert open_searcher(home).search("Where is the weir?", 3)[0].path == "weir.txt"


def learnt_ranks(home: Corpus, questions: str, model: Path) -> float:
    """Return the mean rank of the chunks that answer the questions that were learnt from."""
    job = collect.start_finetuning("run", home, questions, str(model / "none"), FAST)
    collected = collect.collect_training_data(job)
    provider = open_provider(EmbedOptions(model=str(model), engine="torch"))
    cosines = provider.encode_queries([one.question for one in collected.train]) @ provider.encode(collected.texts).T
    return float(np.mean([(row > row[min(one.gold)]).sum() for one, row in zip(collected.train, cosines, strict=True)]))


def test_equal_calls_give_equal_weights_and_other_seeds_others(home: Corpus, questions: str, tmp_path: Path) -> None:
    short = FAST.model_copy(update={"epochs": 2})
    made = [tuned(home, questions, tmp_path / name, short)["weights"] for name in ("one", "two")]
    other = tuned(home, questions, tmp_path / "three", short.model_copy(update={"seed": 1}))["weights"]
    assert made[0] == made[1] != other


def test_small_batches_give_the_gradient_of_the_whole_step(
    home: Corpus, questions: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    short = FAST.model_copy(update={"epochs": 1, "learning_rate": 1e-3})
    tuned(home, questions, tmp_path / "whole", short)
    monkeypatch.setattr("tasks.finetune.io.learn.BATCH_TOKENS", 1)
    tuned(home, questions, tmp_path / "parts", short)
    whole, parts = (load_file(tmp_path / name / "model.safetensors") for name in ("whole", "parts"))
    assert whole.keys() == parts.keys()
    assert all(np.allclose(whole[name], parts[name], atol=1e-5) for name in whole)


def test_a_tuned_model_is_tuned_again(home: Corpus, plain: Refresh, source: Path, questions: str, tmp_path: Path) -> None:
    short = FAST.model_copy(update={"epochs": 1})
    first = tuned(home, questions, tmp_path / "first", short)
    plain(source, place_candidate(home, "first").folder, embed={"model": str(tmp_path / "first")})
    second = tuned(home.candidate("first"), questions, tmp_path / "second", short)
    assert (second["base"], second["base_weights"]) == ("first", first["weights"])


def test_a_model_stays_where_it_was_and_half_of_one_is_never_seen(
    home: Corpus, questions: str, tmp_path: Path, tiny_embedder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {path.name: path.read_bytes() for path in Path(tiny_embedder).iterdir()}

    def failing(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("tasks.finetune.io.finetune.write_model_card", failing)
    with pytest.raises(KeyboardInterrupt):
        tuned(home, questions, tmp_path / "out", FAST.model_copy(update={"epochs": 1}))
    assert not (tmp_path / "out").exists() and not list(tmp_path.glob(".tmp-*"))
    assert {path.name: path.read_bytes() for path in Path(tiny_embedder).iterdir()} == before


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"train_split": "dev"}, r"has 0 questions of the split dev.* its splits are test, train"),
        ({"train_split": "test"}, "are the same"),
    ],
)
def test_splits_that_cannot_do_are_refused(
    home: Corpus, questions: str, tmp_path: Path, given: dict[str, str], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        tuned(home, questions, tmp_path / "out", FinetuneOptions(**given))


def test_a_folder_that_is_there_is_not_overwritten(home: Corpus, questions: str, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    with pytest.raises(InputError, match="is there already"):
        tuned(home, questions, tmp_path / "out")


def test_questions_that_no_chunk_answers_are_too_few(home: Corpus, tmp_path: Path) -> None:
    lines = [
        {"id": f"{split}{at}", "question": "Who?", "split": split, "gold": [{"document": "gone.txt", "quote": "nobody"}]}
        for split in ("train", "test")
        for at in range(3)
    ]
    (tmp_path / "lost.jsonl").write_text("\n".join(map(json.dumps, lines)))
    with pytest.raises(InputError, match=r"only 0 questions \(train\) have chunks that answer them"):
        tuned(home, str(tmp_path / "lost.jsonl"), tmp_path / "out")


def test_a_rate_that_is_too_high_is_told(
    tiny_embedder: str, home: Corpus, questions: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = collect.start_finetuning("run", home, questions, "nowhere", FAST)
    collected = collect.collect_training_data(job)
    mined = finetune.embed_and_mine_negatives(job, collected)
    whole = torch_engine.pool_states
    monkeypatch.setattr("tasks.finetune.io.learn.pool_states", lambda *given: whole(*given) * float("nan"))
    with pytest.raises(InputError, match=r"the loss is nan after 1 steps: lower finetune\.learning_rate"):
        tune_model(job.embedding, FAST, collected.train, collected.texts, mined.negatives)


def test_a_pool_smaller_than_the_corpus_has_all_that_answers(home: Corpus, questions: str) -> None:
    job = collect.start_finetuning("run", home, questions, "nowhere", FAST.model_copy(update={"pool_chunks": 2}))
    collected = collect.collect_training_data(job)
    assert (len(collected.texts), collected.n_chunks) == (len(TOPICS), len(TOPICS))  # each document has one chunk, and a question
    assert all(f"The {one.document.removesuffix('.txt')} " in collected.texts[min(one.gold)] for one in collected.train)


def test_long_texts_are_cut_for_learning(tiny_embedder: str) -> None:
    from tasks.finetune.io.learn import Learner

    learner = Learner(EmbedOptions(model=tiny_embedder, engine="torch"), seed=0)
    assert [len(row) for row in learner.tokenize_texts(["a " * 900, "a"])] == [POSITIONS, 3]


def test_an_endpoint_cannot_be_tuned(home: Corpus, questions: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def remote(self: Any) -> EmbedOptions:
        return EmbedOptions(provider="endpoint", model="far", base_url="http://127.0.0.1:1")

    monkeypatch.setattr(collect.Finetuning, "embedding", property(remote))
    with pytest.raises(InputError, match="stands behind an endpoint"):
        collect.start_finetuning("run", home, questions, "nowhere", FAST)
