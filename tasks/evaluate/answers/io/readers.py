"""Readers: the built-in one, which takes the sentence nearest to the question, and a language model."""

from collections.abc import Iterator, Sequence

import numpy as np

from tasks.chunk.batches import batched
from tasks.embed.provider import Provider
from tasks.embed.remembered import Encoder, Vectors
from tasks.evaluate.answers.io.ask_each import ask_each
from tasks.evaluate.answers.judging import split_answer
from tasks.evaluate.answers.reading import Case, build_reader_prompt, find_nearest, read_reply, split_sentences
from tasks.evaluate.answers.support import embedding_support, faithfulness, lexical_support
from tasks.evaluate.io.chat.client import Chat

CASES_AT_ONCE = 64
"""Cases whose sentences are embedded together: enough for full batches, and few enough for the memory."""

Answer = str | None
"""What a reader says: nothing if the context does not hold the answer. None: what it said is of no use."""


def pick_sentences(cases: Sequence[Case], provider: Provider) -> list[Answer]:
    """Return for each case the sentence of its context that is nearest to the question; nothing if there is no sentence."""
    return [answer for part in batched(cases, CASES_AT_ONCE) for answer in _pick_sentences(part, provider)]


def _pick_sentences(cases: Sequence[Case], provider: Provider) -> Iterator[Answer]:
    split = [split_sentences(case.context) for case in cases]
    asked = provider.encode_queries([case.question.question for case in cases])
    vectors = _encode_texts(split, provider)
    for question, of_case in zip(asked, split, strict=True):
        yield of_case[find_nearest(question, _stack(vectors, of_case))] if of_case else ""


def ask_model(cases: Sequence[Case], chat: Chat) -> list[Answer]:
    """Return for each case the answer of a language model. Without context there is nothing to ask.

    Raises:
        CostError, InputError, ServiceError: a call failed for good, see `Chat.ask`.
        AnswerError: none of the first answers is of any use.
    """
    with_context = [case for case in cases if case.context]
    texts = ask_each(lambda case: chat.ask_text(build_reader_prompt(case)), with_context, chat.options.calls_at_once, "answers")
    replies = iter(texts)
    return [(None if (text := next(replies)) is None else read_reply(text)) if case.context else "" for case in cases]


def score_support(cases: Sequence[Case], answers: Sequence[str], encoder: Encoder) -> list[float]:
    """Return the faithfulness (lexical and embedding support) of the answer to each case. No answer may be empty."""
    return [value for part in batched(zip(cases, answers, strict=True), CASES_AT_ONCE) for value in _score_support(part, encoder)]


def _score_support(pairs: Sequence[tuple[Case, str]], encoder: Encoder) -> Iterator[float]:
    """Yield a value for each pair. What stands word for word in the context needs no vectors."""
    claims = [split_answer(answer) for _, answer in pairs]
    contexts = [split_sentences(case.context) for case, _ in pairs]
    lexical = [[lexical_support(claim, context) for claim in of] for of, context in zip(claims, contexts, strict=True)]
    open_cases = [at for at, values in enumerate(lexical) if min(values) < 1]
    vectors = _encode_texts([of[at] for at in open_cases for of in (claims, contexts)], encoder)
    for at, values in enumerate(lexical):
        embedded = [0.0] * len(values)
        if min(values) < 1:
            context = _stack(vectors, contexts[at])
            embedded = [embedding_support(vectors[claim], context) for claim in claims[at]]
        yield faithfulness(values, embedded)


def _encode_texts(groups: Sequence[Sequence[str]], encoder: Encoder) -> dict[str, Vectors]:
    texts = list(dict.fromkeys(text for group in groups for text in group))
    return dict(zip(texts, encoder.encode(texts), strict=True)) if texts else {}


def _stack(vectors: dict[str, Vectors], texts: Sequence[str]) -> Vectors:
    return np.stack([vectors[text] for text in texts]) if texts else np.empty((0, 0), np.float32)
