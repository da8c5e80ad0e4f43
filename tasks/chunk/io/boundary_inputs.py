"""Boundary inputs: what some strategies need besides a document: sentence vectors, or boundaries that a model proposes."""

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import pyarrow as pa

from schemas.conform import make_table_from_rows
from schemas.errors import InputError, ServiceError
from schemas.options.chat import ChatOptions
from schemas.options.sections import ChunkOptions, EmbedOptions
from schemas.records import AssembledDocument
from schemas.staged import PROPOSED
from tasks.chat.io.client import Connection
from tasks.chat.io.ledger import Ledger, Usage
from tasks.chat.prompts import Prompt, build_messages
from tasks.chunk.chunk import BoundaryInputs, Sentences, split_document_into_sentences
from tasks.embed.io.embed import Key, embed_contents
from tasks.embed.vectors import VectorCache, Vectors

INSTRUCTION = (
    "You cut a document into passages, each about one topic. The document's sentences are numbered. Answer with a JSON list of "
    "the numbers of the sentences that begin a new passage, in rising order, such as [4, 9, 15], and with nothing else."
)
TIMEOUT_SECONDS = 120.0
MOST_SENTENCES, MOST_CHARACTERS = 120, 16_000
"""Limits of one question to the model."""

_LIST = re.compile(r"\[[\d,\s]*\]")


def embed_sentences(described: Mapping[Key, AssembledDocument], options: EmbedOptions) -> Iterator[tuple[Key, Vectors]]:
    """Yield the vectors of each document's sentences. Of a sentence that is too long only the beginning is embedded."""
    from tasks.embed.io.providers import open_provider

    provider = open_provider(options.model_copy(update={"too_long": "truncate"})).with_memory(VectorCache())
    yield from embed_contents(((key, split_document_into_sentences(row).texts) for key, row in described.items()), provider)


def propose_boundaries(described: AssembledDocument, options: ChunkOptions) -> pa.Table:
    """Return one row of PROPOSED: where a language model would start chunks.

    Raises:
        InputError: the variable that should hold the endpoint's key is not set, or the endpoint refuses the call.
        ServiceError: the endpoint does not answer.
    """
    sentences, key_variable = split_document_into_sentences(described), options.value("api_key_variable")
    if key_variable and not os.environ.get(key_variable):
        raise InputError(f"the environment variable {key_variable} is not set: set it to the key of {options.value('endpoint')}")
    # not validated: a wrong address is an error of the call, which names it
    chat = ChatOptions.model_construct(
        base_url=options.value("endpoint"), model=options.value("chat_model"), timeout_seconds=TIMEOUT_SECONDS, retry_seconds=()
    )
    with Connection(chat, Ledger(chat), [key_variable] if key_variable else []) as connection:
        breaks, reason = _ask_for_starts(connection, chat.model, sentences)
    return make_table_from_rows([{"breaks": breaks, "reason": reason, "rejects": []}], PROPOSED)


def propose_boundaries_of_each(
    described: Iterable[AssembledDocument], options: ChunkOptions
) -> Iterator[pa.Table | ServiceError]:
    """Yield what `propose_boundaries` returns for each document. After the endpoint has failed once, it is not asked again.

    Raises:
        InputError: as `propose_boundaries`.
    """
    down: ServiceError | None = None
    for row in described:
        try:
            yield down or propose_boundaries(row, options)
        except ServiceError as error:
            down = error
            yield error


def _ask_for_starts(connection: Connection, model: str, sentences: Sentences) -> tuple[list[int], str]:
    """Return the starts of the sentences that begin a chunk, or no starts and the reason why the answer is useless.

    Raises:
        ServiceError: the endpoint does not answer.
    """
    parts = list(build_boundary_questions(sentences.texts))
    found: list[int] = []
    for i, (first, question) in enumerate(parts):
        end = parts[i + 1][0] if i + 1 < len(parts) else len(sentences.texts)
        body = {"model": model, "messages": build_messages(Prompt(INSTRUCTION, question), None), "temperature": 0}
        try:
            found += [
                first,
                *parse_sentence_numbers(
                    connection.read_completion(connection.post_with_retries(body, Usage())).content, first, end
                ),
            ]
        except ValueError as error:
            return [], str(error)
    return [sentences.starts[number] for number in dict.fromkeys(found)], ""


def get_boundary_inputs(described: AssembledDocument, options: ChunkOptions, embed: EmbedOptions) -> BoundaryInputs:
    """Return what the chosen strategy needs besides one document."""
    if options.sentence_vectors:
        [(_, vectors)] = embed_sentences({0: described}, embed)
        return BoundaryInputs(vectors=vectors)
    if options.strategy == "llm":
        return read_boundary_proposal(propose_boundaries(described, options))
    return BoundaryInputs()


def read_boundary_proposal(table: pa.Table) -> BoundaryInputs:
    """Return what a row of PROPOSED holds."""
    row = table.to_pylist()[0]
    return BoundaryInputs(breaks=row["breaks"], reason=row["reason"])


def build_boundary_questions(sentences: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the questions about a document: the number of the first sentence, and the numbered sentences."""
    lines: list[str] = []
    size, first = 0, 0
    for number, sentence in enumerate(sentences):
        if lines and (len(lines) >= MOST_SENTENCES or size + len(sentence) > MOST_CHARACTERS):
            yield first, "\n".join(lines)
            lines, size, first = [], 0, number
        lines.append(f"[{number}] {' '.join(sentence[:MOST_CHARACTERS].split())}")
        size += len(sentence)
    if lines:
        yield first, "\n".join(lines)


def parse_sentence_numbers(answer: str, first: int, end: int) -> list[int]:
    """Return the sentence numbers of a model's answer about the sentences `first` to `end`, `end` excluded.

    Raises:
        ValueError: the answer contains no list, or its numbers are not in ascending order or not those of sentences.

    >>> parse_sentence_numbers("Here you are: [3, 7]", 0, 10)
    [3, 7]
    """
    found = _LIST.search(answer)
    try:
        values: list[int] = json.loads(found.group()) if found else []
    except json.JSONDecodeError as error:
        raise ValueError(f"the answer's list cannot be read: {answer[:80]!r}") from error
    if found is None:
        raise ValueError(f"the answer contains no list of numbers: {answer[:80]!r}")
    if sorted(set(values)) != values:
        raise ValueError(f"the numbers are not in ascending order: {values[:8]}")
    if values and not first <= values[0] <= values[-1] < end:
        raise ValueError(f"the numbers {values[0]} to {values[-1]} are not among the sentences {first} to {end - 1}")
    return values
