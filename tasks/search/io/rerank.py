"""Rerank: a cross-encoder reads each of the best chunks together with the question, and puts them in another order."""

import math
import threading
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from schemas.errors import InputError
from tasks.embed.io.model_folders import ModelKind, check_weights, find_model
from tasks.embed.io.tokenizer import read_json
from tasks.search.chunk_source import RankedRow

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

KIND = ModelKind("reranker", "none (no reranker is packaged)", "owner/name", ("*.json", "*.txt", "*.safetensors"))
RERANKED = 50
"""So many chunks are put in another order; the others stay behind them."""
PAIRS_AT_ONCE = 16
MOST_TOKENS = 512
"""Longest pair of a question and a chunk; the end of the chunk is cut off."""


class Reranker:
    """A cross-encoder with one output: the higher, the better a text answers a question. It is loaded for the first question.

    Threads may share it; it reads for one at a time.
    """

    def __init__(self, model: str) -> None:
        """`model` is a directory, or a hub id with a `/`.

        Raises:
            InputError: there is no such model, its files or weights are missing or pickled, or it has more than one output.
        """
        self.most = RERANKED
        self._folder = find_model(model, KIND, _check_reranker_files)
        self._reading = threading.Lock()

    def rerank(self, question: str, rows: Sequence[RankedRow]) -> list[RankedRow]:
        """Return the rows of chunks, the first RERANKED by the score that the model gives them, which becomes theirs.

        Equal scores keep their order. Rows behind RERANKED keep theirs, with scores below all others.

        Raises:
            InputError: the model cannot be loaded, or gives no numbers.
        """
        first = rows[:RERANKED]
        scores = self._score_texts(question, [row["embedding_text"] for row in first])
        order = sorted(range(len(first)), key=lambda place: -scores[place])
        least = min(scores, default=0.0)
        ordered: list[RankedRow] = [{**first[place], "score": scores[place]} for place in order]
        behind: list[RankedRow] = [{**row, "score": least - n} for n, row in enumerate(rows[RERANKED:], start=1)]
        return ordered + behind

    def _score_texts(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return the model's output for each text. Texts of like length are read together."""
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        with self._reading:  # a tokenizer keeps how it truncates and pads
            found = dict(zip(order, self._compute_outputs(question, [texts[place] for place in order]), strict=True))
        if not all(map(math.isfinite, found.values())):
            raise InputError(f"the reranker in {self._folder} gives no numbers: its weights are damaged, download it again")
        return [found[place] for place in range(len(texts))]

    def _compute_outputs(self, question: str, texts: Sequence[str]) -> Iterator[float]:
        import torch

        model, tokenizer = self._loaded
        longest = min(MOST_TOKENS, getattr(model.config, "max_position_embeddings", None) or MOST_TOKENS)
        how = {"truncation": True, "max_length": longest, "padding": True, "return_tensors": "pt"}
        for start in range(0, len(texts), PAIRS_AT_ONCE):
            some = list(texts[start : start + PAIRS_AT_ONCE])
            with torch.inference_mode():
                yield from model(**tokenizer([question] * len(some), some, **how)).logits[:, 0].float().tolist()

    @cached_property
    def _loaded(self) -> tuple["PreTrainedModel", "PreTrainedTokenizerBase"]:
        from safetensors import SafetensorError
        from transformers import AutoModelForSequenceClassification, AutoTokenizer

        local = {"local_files_only": True, "trust_remote_code": False}
        try:
            tokenizer = AutoTokenizer.from_pretrained(self._folder, **local)
            model, loading = AutoModelForSequenceClassification.from_pretrained(
                self._folder, use_safetensors=True, output_loading_info=True, **local
            )
        except (OSError, ValueError, KeyError, RuntimeError, SafetensorError) as error:
            raise InputError(
                f"the reranker in {self._folder} cannot be loaded ({error}): download it again or choose another"
            ) from error
        if absent := sorted(loading["missing_keys"]):
            raise InputError(
                f"{self._folder} lacks {len(absent)} weights, such as {absent[0]}: it is no reranker, or not complete"
            )
        return model.eval(), tokenizer


def _check_reranker_files(folder: Path) -> Path:
    """Return `folder` if its files can be those of a reranker.

    Raises:
        InputError: files or weights are missing, weights are pickled, or the model has another number of outputs than one.
    """
    for name in ("config.json", "tokenizer.json"):
        if not (folder / name).is_file():
            raise InputError(f"{folder} has no {name}: give the folder of a reranker, a cross-encoder with one output")
    check_weights(folder)
    config = read_json(folder / "config.json")
    labels = config.get("id2label")
    n_outputs = len(labels) if labels else config.get("num_labels", 2)
    if n_outputs != 1:
        raise InputError(f"the model in {folder} has {n_outputs} outputs: give a reranker, a cross-encoder with one output")
    return folder
