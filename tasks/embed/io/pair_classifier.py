"""Models that say something of two texts read together: rerankers, and models for natural language inference."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from schemas.errors import InputError
from tasks.embed.io.model_folders import load_model

PAIRS_AT_ONCE = 16
MOST_TOKENS = 512
"""Longest pair."""


class PairClassifier:
    """The model in a folder, with its tokenizer. One thread at a time may use it: a tokenizer keeps how it truncates and pads."""

    def __init__(self, folder: Path, what: str) -> None:
        """`what` names it in errors.

        Raises:
            InputError: it cannot be loaded, or weights are missing.
        """
        from transformers import AutoTokenizer

        try:
            self._tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
        except (OSError, ValueError, KeyError, RuntimeError) as error:
            raise InputError(f"the {what} in {folder} cannot be loaded ({error}): download it again or choose another") from error
        self._model = load_model(folder, what, dtype="auto", auto_class="AutoModelForSequenceClassification").eval()

    @property
    def labels(self) -> dict[int, str]:
        """Return the names of its outputs."""
        named: dict[int, str] = self._model.config.id2label
        return named

    def compute_logits(self, pairs: Sequence[tuple[str, str]], truncation: str) -> Iterator[list[float]]:
        """Yield the outputs for each pair; `truncation` says, in the words of transformers, which text loses its end."""
        import torch

        longest = min(MOST_TOKENS, getattr(self._model.config, "max_position_embeddings", None) or MOST_TOKENS)
        how = {"truncation": truncation, "max_length": longest, "padding": True, "return_tensors": "pt"}
        for start in range(0, len(pairs), PAIRS_AT_ONCE):
            first, second = map(list, zip(*pairs[start : start + PAIRS_AT_ONCE], strict=True))
            with torch.inference_mode():
                yield from self._model(**self._tokenizer(first, second, **how)).logits.float().tolist()
