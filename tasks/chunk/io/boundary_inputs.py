"""Boundary inputs: what some strategies need besides a document: sentence vectors, or boundaries that a model proposes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa

from schemas.conform import from_rows
from schemas.errors import ServiceError
from schemas.options.sections import ChunkOptions, EmbedOptions
from schemas.staged import PROPOSED
from tasks.chunk.chunk import BoundaryInputs, Sentences, sentences_of
from tasks.chunk.io.chat import Chat
from tasks.chunk.proposals import INSTRUCTION, numbers, questions
from tasks.embed.io.embed import Key, embed_contents
from tasks.embed.remembered import Memory, Vectors


def sentence_vectors(described: Mapping[Key, dict[str, Any]], options: EmbedOptions) -> Iterator[tuple[Key, Vectors]]:
    """Yield the vectors of each document's sentences. Of a sentence that is too long only the beginning is embedded."""
    from tasks.embed.io.providers import open_provider

    provider = open_provider(options.model_copy(update={"too_long": "truncate"})).remembering(Memory())
    yield from embed_contents(((key, sentences_of(row).texts) for key, row in described.items()), provider)


def sentences_to_embed(described: dict[str, Any]) -> Sequence[str]:
    """Return the sentences whose vectors a strategy needs."""
    return sentences_of(described).texts


def propose(described: dict[str, Any], options: ChunkOptions) -> pa.Table:
    """Return one row of PROPOSED: where a language model would start chunks.

    Raises:
        InputError: the variable that should hold the endpoint's key is not set, or the endpoint refuses the call.
        ServiceError: the endpoint does not answer.
    """
    sentences = sentences_of(described)
    with Chat(options.value("endpoint"), options.value("chat_model"), options.value("api_key_variable")) as chat:
        breaks, reason = _ask(chat, sentences)
    return from_rows([{"breaks": breaks, "reason": reason, "rejects": []}], PROPOSED)


def proposals(described: Iterable[dict[str, Any]], options: ChunkOptions) -> Iterator[pa.Table | ServiceError]:
    """Yield what `propose` returns for each document. After the endpoint has failed once, it is not asked again.

    Raises:
        InputError: as `propose`.
    """
    down: ServiceError | None = None
    for row in described:
        try:
            yield down or propose(row, options)
        except ServiceError as error:
            down = error
            yield error


def _ask(chat: Chat, sentences: Sentences) -> tuple[list[int], str]:
    """Return the starts of the sentences that begin a chunk, or no starts and the reason why the answer is useless.

    Raises:
        ServiceError: the endpoint does not answer.
    """
    parts = list(questions(sentences.texts))
    found: list[int] = []
    for i, (first, question) in enumerate(parts):
        end = parts[i + 1][0] if i + 1 < len(parts) else len(sentences.texts)
        try:
            found += [first, *numbers(chat.ask(INSTRUCTION, question), first, end)]
        except ValueError as error:
            return [], str(error)
    return [sentences.starts[number] for number in dict.fromkeys(found)], ""


def boundary_inputs_of(described: dict[str, Any], options: ChunkOptions, embed: EmbedOptions) -> BoundaryInputs:
    """Return what the chosen strategy needs besides one document."""
    if options.sentence_vectors:
        [(_, vectors)] = sentence_vectors({0: described}, embed)
        return BoundaryInputs(vectors=vectors)
    if options.strategy == "llm":
        return read_proposal(propose(described, options))
    return BoundaryInputs()


def read_proposal(table: pa.Table) -> BoundaryInputs:
    """Return what a row of PROPOSED holds."""
    row = table.to_pylist()[0]
    return BoundaryInputs(breaks=row["breaks"], reason=row["reason"])
