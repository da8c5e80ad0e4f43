import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from schemas.corpus import Corpus
from schemas.errors import InputError
from tasks.embed.io.tokenizer import PACKAGED, find_model_folder
from tasks.evaluate.answers.io.models import check_nli_model, encode_tokens
from tasks.evaluate.answers.metrics import bertscore
from tasks.evaluate.io import score
from tests.tasks.evaluate.answers.io.corpora import GLASS, HERON, TEXTS, asking, evaluated, options
from tests.tasks.small_corpus import publish_corpus

EIGHTY_PERCENT = [0.0, 0.0, 2.0794415]
"""Logits whose softmax is 0.1, 0.1, 0.8."""

LONG = "heron " * 600


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A model that says entailment with 80 % whatever it is given."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    folder = tmp_path_factory.mktemp("nli")
    labels = {0: "contradiction", 1: "neutral", 2: "Entailment"}
    sizes = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 8}
    made = BertForSequenceClassification(BertConfig(**sizes, id2label=labels, label2id={name: n for n, name in labels.items()}))
    torch.nn.init.zeros_(made.classifier.weight)
    made.classifier.bias.data = torch.tensor(EIGHTY_PERCENT)
    made.save_pretrained(folder, safe_serialization=True)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(find_model_folder(PACKAGED) / name, folder / name)
    return str(folder)


def test_what_follows_from_the_context_is_scored(tmp_path: Path, model: str) -> None:
    corpus = str(tmp_path / "corpus")
    publish_corpus(corpus, TEXTS, with_embedder=True)
    found = evaluated(corpus, asking(tmp_path, HERON, GLASS), options(answers="builtin", nli_model=model))
    assert found["answer_faithfulness_nli", 100] == (pytest.approx(0.8, abs=1e-6), 2)


def test_a_folder_without_a_model_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"has no config\.json: give the folder of a model for natural language inference"):
        score.start_evaluation("run", Corpus(str(tmp_path)), "no questions", options(answers="builtin", nli_model=str(tmp_path)))


def test_a_model_that_knows_no_entailment_is_refused(tmp_path: Path, model: str) -> None:
    shutil.copytree(model, tmp_path / "other")
    config = json.loads((tmp_path / "other/config.json").read_text())
    (tmp_path / "other/config.json").write_text(json.dumps({**config, "id2label": {"0": "good", "1": "bad"}}))
    with pytest.raises(InputError, match=r"no label entailment \(id2label: good, bad\)"):
        check_nli_model(str(tmp_path / "other"))


def test_states_are_those_of_tokens_without_special_ones() -> None:
    found = encode_tokens(["The heron stands.", "", LONG, "The heron stands."])
    assert {text: len(states) for text, states in found.items()} == {"The heron stands.": 4, "": 0, LONG: 510}


def test_the_states_of_a_text_do_not_depend_on_others() -> None:
    alone, among = encode_tokens(["The heron stands."]), encode_tokens(["Otters float in kelp, far out.", "The heron stands."])
    np.testing.assert_allclose(alone["The heron stands."], among["The heron stands."], atol=1e-5)


def test_what_means_the_same_is_more_alike_than_what_does_not() -> None:
    wanted, alike, other = "in shallow water", "in the shallows of the river", "nineteen percent of revenue"
    states = encode_tokens([wanted, alike, other])
    assert bertscore(states[alike], states[wanted]).f1 > bertscore(states[other], states[wanted]).f1 + 0.3
