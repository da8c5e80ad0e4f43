"""The door to embedders: which provider the options mean, what is known of its model, and the provider itself."""

from pathlib import Path
from typing import Any, NamedTuple

from schemas.options.sections import EmbedOptions
from tasks.embed.io import model_files, tokenizer
from tasks.embed.io.static_files import find_static_files
from tasks.embed.io.tokenizer import Tokenizer
from tasks.embed.provider import Prompts, Provider


class ModelInfo(NamedTuple):
    """What is known of a model without loading it.

    `identity` stands in the recipe: vectors of another one must not stand in the same table. `max_tokens` are those of a text,
    beside the longer prompt. `counter` identifies the tokenizer that counts.
    """

    identity: dict[str, Any]
    dimension: int
    max_tokens: int
    prompts: Prompts
    counter: dict[str, Any]


def read_model_info(options: EmbedOptions) -> ModelInfo:
    """Return what is known of the model that `options` name. An endpoint is asked for it.

    Raises:
        InputError: there is no such model, its files or its endpoint cannot be used.
        ServiceError: the endpoint does not answer.
    """
    if options.provider == "endpoint":
        from tasks.embed.io.endpoint.encoder import EndpointEncoder

        found = EndpointEncoder(options)
        identity = identify_vectors(options, found.dimension)
        counter = model_files.gather_embedder_facts(tokenizer.find_counting_model(options))
        return ModelInfo(identity, found.dimension, find_max_text_tokens(options), resolve_prompts(options), counter)
    folder = tokenizer.find_model_folder(options.model)
    dimension = model_files.shorten_dimension(folder, model_files.read_dimension(folder), options.dimensions)
    counter = model_files.gather_embedder_facts(options.model)
    return ModelInfo(
        identify_vectors(options, dimension), dimension, find_max_text_tokens(options), resolve_prompts(options), counter
    )


def identify_vectors(options: EmbedOptions, dimension: int) -> dict[str, object]:
    """Return what identifies the vectors that `options` make: neither where a model lies, nor which address serves it."""
    if options.provider == "endpoint":
        from tasks.embed.io.endpoint.encoder import describe_endpoint_facts

        return describe_endpoint_facts(options.model, dimension)
    return model_files.gather_embedder_facts(options.model, options.dimensions)


def open_provider(options: EmbedOptions, dimension: int | None = None, light: bool = False) -> Provider:
    """Return the provider that `options` mean, with the prompts that they or the model's files state. Nothing is loaded yet.

    `dimension`: the length that its vectors must have; None if it is to be found out. With `light`, NumPy computes whatever it
    can, so that torch is not imported.

    Raises:
        InputError: there is no such model, or its files or its endpoint cannot be used.
        ServiceError: the endpoint does not answer.
    """
    if options.provider == "endpoint":
        from tasks.embed.io.endpoint.encoder import EndpointEncoder

        remote = EndpointEncoder(options, dimension)
        return Provider(remote, resolve_prompts(options), remote.at_once)
    folder = tokenizer.find_model_folder(options.model)
    if find_static_files(folder):
        from tasks.embed.io.static_encoder import StaticEncoder

        return Provider(StaticEncoder(folder, options), resolve_prompts(options))
    from tasks.embed.io.embedder import Embedder

    return Provider(Embedder(options.model, options, light), resolve_prompts(options))


def resolve_prompts(options: EmbedOptions) -> Prompts:
    """Return the prompts of the options, or else those that the files of a local model state."""
    own = (
        Prompts() if options.provider == "endpoint" else model_files.read_own_prompts(tokenizer.find_model_folder(options.model))
    )
    query = own.query if options.query_prompt is None else options.query_prompt
    return Prompts(query, own.document if options.document_prompt is None else options.document_prompt)


def find_tokenizer_folder(options: EmbedOptions) -> Path:
    """Return the folder of the model whose tokenizer counts: the embedder's own, or the one that stands in for an endpoint's."""
    return tokenizer.find_model_folder(tokenizer.find_counting_model(options))


def find_tokenizer_path(options: EmbedOptions) -> Path:
    """Return the file of the tokenizer that counts."""
    folder = find_tokenizer_folder(options)
    static = find_static_files(folder)
    return static.tokenizer if static else folder / "tokenizer.json"


def load_counting_tokenizer(options: EmbedOptions) -> Tokenizer:
    """Return the tokenizer that counts the tokens of texts."""
    return tokenizer.load_tokenizer(find_tokenizer_folder(options))


def find_max_text_tokens(options: EmbedOptions) -> int:
    """Return the longest text that the model takes, in tokens, with the longer of its prompts before it.

    Raises:
        InputError: no file states how many tokens the model takes, or it takes fewer than an option says.
    """
    folder = find_tokenizer_folder(options)
    if options.provider == "endpoint":
        from tasks.embed.io.endpoint.encoder import MAX_TOKENS

        most = options.max_tokens or MAX_TOKENS
    else:
        most = tokenizer.read_max_tokens(folder, options.max_tokens)
    prompts = resolve_prompts(options)
    if not any(prompts):
        return most
    bare, *lengths = tokenizer.load_tokenizer(folder).count(["", *prompts])
    return max(1, most - (max(lengths) - bare))
