"""A run: the recipes of its steps, hashes of all that changes their output; and what every step needs to know of it, as JSON."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from schemas.corpus import Corpus
from schemas.ids import json_digest
from schemas.options.sections import EmbedEngine, EmbedOptions, RefreshOptions

ENGINES: dict[str, EmbedEngine] = {"torch": "torch", "int8": "openvino", "static": "static", "endpoint": "endpoint"}
"""Engines by what a recipe calls their arithmetic."""


class Recipes(BaseModel):
    """The recipes of one run's steps, the facts they are made of, and what the embedder is and takes.

    `chunk_tokens` is the longest chunk: `max_tokens`, or more if longer ones are cut or averaged. `sentences` and `proposals` are
    the recipes of what some strategies need beside the document.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    parse: str
    describe: str
    chunk: str
    embed: str
    details: str
    embedder: str
    dimension: int
    max_tokens: int
    document_prompt: str = ""
    chunk_tokens: int
    sentences: str
    proposals: str
    engine: EmbedEngine = "torch"

    def embedding(self, options: EmbedOptions) -> EmbedOptions:
        """Return how this run embeds: `options` with the engine that is part of its recipe."""
        return options.model_copy(update={"engine": self.engine})

    @property
    def whole(self) -> str:
        """The recipe of the corpus: that of its last step, which the others are part of."""
        return self.embed


def compute_embedder_digest(facts: Mapping[str, object]) -> str:
    """Return the identity of an embedder: vectors of another one must not stand in the same table."""
    return json_digest(facts)


def find_embedding_engine(details: str) -> EmbedEngine:
    """Return the engine that a recipe's details name: those of a corpus that was embedded by torch name none."""
    named = json.loads(details)["embed"].get("arithmetic", {"torch": ""})
    return next(engine for arithmetic, engine in ENGINES.items() if arithmetic in named)


def list_recipe_differences(old: str, new: str) -> list[str]:
    """Name what differs between two recipes' details, one line each.

    >>> list_recipe_differences('{"chunk": {"version": "1"}}', '{"chunk": {"version": "2"}}')
    ['chunk.version: 1 → 2']
    """
    before, after = _flatten_details(json.loads(old)), _flatten_details(json.loads(new))
    names = [name for name in sorted({*before, *after}) if before.get(name) != after.get(name)]
    return [f"{name}: {before.get(name, 'not set')} → {after.get(name, 'not set')}" for name in names]


def _flatten_details(value: object, prefix: str = "") -> dict[str, object]:
    if not isinstance(value, dict):
        return {prefix: value}
    flat: dict[str, Any] = {}
    for name, inner in value.items():
        flat.update(_flatten_details(inner, f"{prefix}.{name}" if prefix else name))
    return flat


class Run(BaseModel):
    """One refresh of one corpus from one source; `base` is the generation that it builds on, 0 if there is none.

    `listed_at_ns` is when its source was listed, in ns of the epoch.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    run_id: str
    source: str
    corpus: Corpus
    options: RefreshOptions
    recipes: Recipes
    base: int
    listed_at_ns: int

    @property
    def folder(self) -> Path:
        """Where the run keeps its draft until it is published."""
        return self.corpus.drafts / self.run_id
