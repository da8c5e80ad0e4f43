"""Vectors from an OpenAI-compatible endpoint: `/v1/embeddings` of OpenAI, vLLM, TEI, Ollama and others."""

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from pydantic import ValidationError

from schemas.errors import InputError
from schemas.options.embedding import EndpointOptions
from schemas.options.sections import EmbedOptions
from tasks.embed.io.endpoint.calls import Calls
from tasks.embed.io.tokenizer import Tokenizer, find_counting_model, find_model_folder, load_tokenizer
from tasks.embed.io.too_long import FittedRows, TooLong, average_windows
from tasks.embed.vectors import NO_TOKENS, Tokens, Vectors, normalise_vectors

MAX_TOKENS = 512
"""Longest input if no option says more: what nearly all models take. Some servers cut off the rest without a word."""
ROUNDS = 4
"""Calls of each thread after which vectors are remembered."""


class EndpointEncoder:
    """Turns texts into vectors by calls of an endpoint, several texts a call, several calls at once. Threads may share one."""

    def __init__(self, options: EmbedOptions, dimension: int | None = None) -> None:
        """Ask the endpoint how long its vectors are, unless the `dimension` that they must have is known.

        Raises:
            InputError: the endpoint refuses the call, has no address, or makes vectors of another length than `dimensions`.
            ServiceError: the endpoint does not answer.
        """
        self._calls, self._options = Calls(options), options
        self._tokenizer, self.max_tokens = load_counting_tokenizer(options), options.max_tokens or MAX_TOKENS
        self.at_once = options.batch_texts * options.calls_at_once * ROUNDS
        self.dimension = dimension or self._calls.embed(["."], probing=True).shape[1]
        if options.dimensions is not None and self.dimension != options.dimensions:
            raise InputError(
                f"the endpoint {options.base_url} makes vectors of {self.dimension} numbers by {options.model}, though "
                f"embed.dimensions asks for {options.dimensions}: leave embed.dimensions out"
            )

    def tokenise(self, texts: Sequence[str]) -> Tokens:
        """Return no tokens: an endpoint gets the texts themselves."""
        return NO_TOKENS

    def encode(self, texts: Sequence[str], tokens: Tokens = NO_TOKENS) -> Vectors:
        """Return the vectors of `texts`, in their order, as an array of shape (texts, dimension). Each has length 1.

        Raises:
            TooLong: a text has more than `max_tokens` tokens, and `options.too_long` is error.
            DocumentError: a text has no vector, or is refused.
            InputError: the endpoint refuses the call, or makes vectors of another dimension than before.
            ServiceError: the endpoint does not answer.
        """
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        windows, found = self._fit(texts)
        made = normalise_vectors(self._embed_texts(windows))
        return made if len(windows) == len(texts) else normalise_vectors(average_windows(made, found))

    def _embed_texts(self, texts: Sequence[str]) -> Vectors:
        size = self._options.batch_texts
        parts = [texts[at : at + size] for at in range(0, len(texts), size)]
        if len(parts) == 1:
            return self._embed_part(parts[0])
        with ThreadPoolExecutor(self._options.calls_at_once) as threads:
            try:
                return np.concatenate(list(threads.map(self._embed_part, parts)))
            except BaseException:
                threads.shutdown(cancel_futures=True)
                raise

    def _embed_part(self, texts: Sequence[str]) -> Vectors:
        made = self._calls.embed(texts)
        if made.shape[1] == 1 and np.isnan(made).all():
            return np.full((len(texts), self.dimension), np.nan, dtype=np.float32)
        if made.shape[1] != self.dimension:
            raise InputError(
                f"the endpoint {self._options.base_url} makes vectors of {made.shape[1]} numbers by {self._options.model}, and "
                f"{self.dimension} are expected: serve the former model again, or build a new corpus"
            )
        return made

    def _fit(self, texts: Sequence[str]) -> tuple[list[str], FittedRows]:
        """Return what is sent: texts, or the windows of those that are too long; and how many windows each has."""
        windows, starts, n_windows, n_too_long = list[str](), list[list[int]](), list[int](), 0
        for position, (text, n) in enumerate(zip(texts, self._tokenizer.count(texts), strict=True)):
            if n > self.max_tokens and self._options.too_long == "error":
                raise TooLong(position, n, self.max_tokens)
            cut = self._windows(text) if n > self.max_tokens else [(text, [0])]
            cut = cut[: 1 if self._options.too_long == "truncate" else None]
            windows += [window for window, _ in cut]
            starts += [tokens for _, tokens in cut]
            n_windows.append(len(cut))
            n_too_long += n > self.max_tokens
        return windows, FittedRows(starts, n_windows, n_too_long)

    def _windows(self, text: str) -> list[tuple[str, list[int]]]:
        """Return the parts of a text that fit, with the starts of their tokens."""
        room = self.max_tokens - self._tokenizer.count([""])[0]
        spans = self._tokenizer.offsets(text)
        parts = [spans[at : at + room] for at in range(0, len(spans), room)]
        return [(text[part[0][0] : part[-1][1]], [start for start, _ in part]) for part in parts]


def load_counting_tokenizer(options: EmbedOptions) -> Tokenizer:
    """Return the tokenizer that counts for an endpoint, whose own one is not known here.

    Raises:
        InputError: there is no such model.
    """
    return load_tokenizer(find_model_folder(find_counting_model(options)))


def describe_endpoint_facts(model: str, dimension: int) -> dict[str, object]:
    """Return what identifies the vectors of an endpoint, wherever it stands: its name for the model, and their length."""
    return {"model": model, "provider": "endpoint", "dimension": dimension}


VARIABLE = "PAGEMILL_EMBED_BASE_URL"


def with_address(options: EmbedOptions, recorded: Mapping[str, object]) -> EmbedOptions:
    """Return `options` with how their endpoint is reached; `recorded` are the options that a generation was made with.

    Raises:
        InputError: the environment names what is no address.
    """
    if options.provider != "endpoint":
        return options
    known = {name: value for name, value in recorded.items() if name in EndpointOptions.model_fields}
    named = os.environ.get(VARIABLE, "")
    try:
        reached = EndpointOptions.model_validate({**known, **({"base_url": named} if named else {})})
    except ValidationError as error:
        raise InputError(
            f"{VARIABLE} is {named!r}, which is no address: set it to one such as http://127.0.0.1:11434/v1"
        ) from error
    return options.model_copy(update=reached.model_dump())
