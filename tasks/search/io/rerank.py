"""Rerank: a cross-encoder reads each of the best chunks together with the question, and puts them in another order."""

import math
import threading
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from schemas.errors import InputError
from tasks.embed.io.model_folders import ModelKind, check_weights, find_model
from tasks.embed.io.pair_classifier import PairClassifier
from tasks.embed.io.tokenizer import read_json
from tasks.search.chunk_source import RankedRow

KIND = ModelKind("reranker", "none (no reranker is packaged)", "owner/name", ("*.json", "*.txt", "*.safetensors"))
RERANKED = 50
"""So many chunks are put in another order; the others stay behind them."""


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
        """Return the model's output for each text. Texts of like length are read together; too long ones lose their end."""
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        with self._reading:
            outputs = self._loaded.compute_logits([(question, texts[place]) for place in order], "longest_first")
            found = dict(zip(order, (score for (score,) in outputs), strict=True))
        if not all(map(math.isfinite, found.values())):
            raise InputError(f"the reranker in {self._folder} gives no numbers: its weights are damaged, download it again")
        return [found[place] for place in range(len(texts))]

    @cached_property
    def _loaded(self) -> PairClassifier:
        return PairClassifier(self._folder, "reranker")


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
