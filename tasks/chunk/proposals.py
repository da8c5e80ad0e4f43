"""Proposals: asks a language model which sentences should begin a chunk, by their numbers, and checks its answer."""

import json
import re
from collections.abc import Iterator, Sequence

INSTRUCTION = (
    "You cut a document into passages, each about one topic. The document's sentences are numbered. Answer with a JSON list of "
    "the numbers of the sentences that begin a new passage, in rising order, such as [4, 9, 15], and with nothing else."
)
MOST_SENTENCES, MOST_CHARACTERS = 120, 16_000
"""Limits of one question to the model."""

_LIST = re.compile(r"\[[\d,\s]*\]")


def build_questions(sentences: Sequence[str]) -> Iterator[tuple[int, str]]:
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


def parse_numbers(answer: str, first: int, end: int) -> list[int]:
    """Return the sentence numbers of a model's answer about the sentences `first` to `end`, `end` excluded.

    Raises:
        ValueError: the answer contains no list, or its numbers are not in ascending order or not those of sentences.

    >>> parse_numbers("Here you are: [3, 7]", 0, 10)
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
