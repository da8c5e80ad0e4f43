"""Facts: everything that changes a step's output, gathered from options, engines and model files, and hashed to recipes."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from schemas import versions
from schemas.errors import InputError
from schemas.ids import json_digest
from schemas.options.sections import EmbedEngine, RefreshOptions
from schemas.staged import STEPS
from tasks.refresh.run import Recipes, compute_embedder_digest

if TYPE_CHECKING:
    from tasks.embed.io.providers import ModelInfo


def make_recipes(options: RefreshOptions, built_with: EmbedEngine | None = None) -> Recipes:
    """Gather the facts of every step; `built_with` is the engine of a corpus that is there.

    Raises:
        InputError: the embedder, the CLIP model or Tesseract is missing, or the options do not fit them; says what to do.
    """
    from tasks.embed.io.engine_choice import choose_engine
    from tasks.embed.io.providers import read_model_info
    from tasks.refresh.io import libraries

    model = read_model_info(options.embed)
    max_tokens = model.max_tokens
    if options.chunk.longest_tokens > max_tokens and options.embed.too_long == "error":
        raise InputError(
            f"chunks may have {options.chunk.longest_tokens} tokens (chunk.size_tokens, chunk.table_tokens), "
            f"and {options.embed.model} takes {max_tokens} tokens: "
            "make chunks smaller, set embed.max_tokens if the model can take more, or embed.too_long to truncate or mean"
        )
    engine = choose_engine(options.embed, built_with)
    facts = gather_step_facts(options, engine, model)
    hashes = {}
    previous = ""
    for step in STEPS:
        previous = hashes[step] = json_digest([previous, step, facts[step]])
    told = [facts["chunk"][name] for name in ("version", "languages")]
    described = [hashes["describe"], *told, libraries.find_library_versions(libraries.SENTENCES)]
    return Recipes(
        **hashes,
        details=json.dumps(facts, sort_keys=True),
        embedder=compute_embedder_digest(facts["embed"]["engine"]),
        dimension=model.dimension,
        document_prompt=model.prompts.document,
        max_tokens=max_tokens,
        chunk_tokens=max(max_tokens, options.chunk.longest_tokens),
        sentences=json_digest([*described, "sentences", _drop_options(facts["embed"]), max_tokens]),
        proposals=json_digest([*described, "proposals", facts["chunk"]["options"]]),
        engine=engine,
    )


def _drop_options(facts: Mapping[str, object]) -> dict[str, object]:
    """Sentences that are too long are cut, whatever the options say of chunks."""
    return {name: value for name, value in facts.items() if name != "options"}


def gather_step_facts(options: RefreshOptions, engine: EmbedEngine, model: "ModelInfo") -> dict[str, dict[str, Any]]:
    """Return, for each step, everything that changes its output, as JSON values; `model` is the embedder."""
    from tasks.chunk import context_prefixes
    from tasks.describe.io import clip_files
    from tasks.parse.io.facts import engine_facts
    from tasks.refresh.io import libraries

    return {
        "parse": {
            "version": versions.PARSER_VERSION,
            "options": options.parse.facts(),
            "engine": engine_facts(options.parse),
            "libraries": libraries.find_library_versions(libraries.PARSE),
            **_gather_pii_facts(options),
        },
        "describe": {
            "version": versions.DESCRIBER_VERSION,
            "options": options.describe.facts(),
            "engine": clip_files.gather_clip_facts(options.describe.clip_model),
            "libraries": libraries.find_library_versions(libraries.DESCRIBE),
        },
        "chunk": {
            "version": versions.CHUNKER_VERSION,
            "options": options.chunk.resolve(model.max_tokens).facts(),
            "tokenizer": model.counter,
            "languages": {"detection": versions.DETECTION_VERSION, "terms": versions.TERMS_VERSION},
            "libraries": libraries.find_library_versions(libraries.CHUNK),
            **libraries.find_grammar_versions(options.chunk.strategy),
            **context_prefixes.list_prefix_facts(options.chunk.context),
        },
        "embed": {
            "version": versions.EMBEDDER_VERSION,
            "options": options.embed.facts(),
            "engine": model.identity,
            **model.prompts.facts,
            **_gather_engine_facts(engine),
        },
    }


def _gather_pii_facts(options: RefreshOptions) -> dict[str, object]:
    """Return what is looked for in documents; nothing where nothing is, as before there was a choice."""
    from tasks.refresh.io import libraries
    from tasks.refresh.io.screening import find_names_version

    if not options.pii.actions:
        return {}
    names = {"names": find_names_version(options.pii.names)} if options.pii.names else {}
    return {
        "pii": {
            "version": versions.PII_VERSION,
            "options": options.pii.facts(),
            "libraries": libraries.find_library_versions(libraries.PII),
            **names,
        }
    }


def _gather_engine_facts(engine: EmbedEngine) -> dict[str, object]:
    """Return what computes the vectors; torch is named by its version alone, as before there was a choice."""
    from tasks.refresh.io import libraries

    if engine == "torch":
        return {"libraries": libraries.find_library_versions(libraries.EMBED)}
    if engine == "endpoint":
        return {"arithmetic": {"endpoint": versions.ENDPOINT_VERSION}}
    if engine == "static":
        return {
            "libraries": libraries.find_library_versions(libraries.EMBED_STATIC),
            "arithmetic": {"static": versions.STATIC_VERSION},
        }
    return {
        "libraries": libraries.find_library_versions(libraries.EMBED_INT8),
        "arithmetic": {"int8": versions.QUANTISING_VERSION},
    }
