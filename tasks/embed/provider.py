"""A provider: makes vectors of texts, whichever engine or service stands behind it, with the prompts that its model wants."""

from collections.abc import Sequence
from typing import NamedTuple, TypedDict

from tasks.embed.vectors import ALL, NO_TOKENS, CachingEncoder, Encoder, Tokens, VectorCache, Vectors

DOCUMENT_PROMPTS = ("document", "passage", "corpus")
"""Names under which models keep the prompt of documents; the first that is there counts."""


class Prompts(NamedTuple):
    """What is put before a question, and before a text of a document."""

    query: str = ""
    document: str = ""

    @property
    def facts(self) -> dict[str, dict[str, str]]:
        """What a recipe says of the prompts; empty without prompts."""
        return {"prompts": self._asdict()} if any(self) else {}


class PromptConfig(TypedDict, total=False):
    """What a model's `config_sentence_transformers.json` says of prompts."""

    prompts: dict[str, str] | None
    default_prompt_name: str | None


def parse_prompts(config: PromptConfig) -> Prompts:
    """Return the prompts in a model's `config_sentence_transformers.json`.

    >>> parse_prompts({"prompts": {"query": "query: ", "passage": "passage: "}})
    Prompts(query='query: ', document='passage: ')
    >>> parse_prompts({"prompts": {"sts": "Same? "}, "default_prompt_name": "sts"})
    Prompts(query='Same? ', document='Same? ')
    >>> parse_prompts({"prompts": {"query": "query: "}})
    Prompts(query='query: ', document='')
    """
    known = config.get("prompts") or {}
    default = known.get(config.get("default_prompt_name") or "") or ""
    document = next((known[name] for name in DOCUMENT_PROMPTS if name in known), default)
    return Prompts(known.get("query", default) or "", document or "")


class Provider:
    """Makes vectors of documents and of questions. It is an `Encoder` of documents, and may be shared like one."""

    def __init__(self, encoder: Encoder, prompts: Prompts, at_once: int = ALL) -> None:
        """`at_once`: texts after which vectors are remembered, should the next ones fail."""
        self._encoder, self.prompts, self._at_once = encoder, prompts, at_once
        self.dimension = encoder.dimension

    def with_memory(self, memory: VectorCache) -> "Provider":
        """Return a provider that makes no vector that `memory` has, and adds to it what it makes."""
        return Provider(CachingEncoder(self._encoder, memory, self._at_once), self.prompts, self._at_once)

    def tokenise(self, texts: Sequence[str]) -> Tokens:
        """Return the token ids that `encode` will need of `texts`."""
        return self._encoder.tokenise(add_prompt(self.prompts.document, texts))

    def encode(self, texts: Sequence[str], tokens: Tokens = NO_TOKENS) -> Vectors:
        """Return the vectors of texts of documents, of shape (texts, dimension), in their order. Each row has length 1.

        Raises:
            DocumentError: a text is too long, or has no vector.
            InputError: the model, its device or its address cannot be used.
            ServiceError: an endpoint does not answer for now.
        """
        return self._encoder.encode(add_prompt(self.prompts.document, texts), tokens)

    def encode_as_is(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of texts that have their prompts already. Raises what `encode` raises."""
        return self._encoder.encode(texts)

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of questions, of shape (texts, dimension), in their order. Raises what `encode` raises."""
        return self._encoder.encode(add_prompt(self.prompts.query, texts))


def add_prompt(prompt: str, texts: Sequence[str]) -> list[str]:
    """Return texts with a prompt before each: what the model sees, and what vectors are remembered by."""
    return [prompt + text for text in texts] if prompt else list(texts)
