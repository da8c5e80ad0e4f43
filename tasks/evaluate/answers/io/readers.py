"""Readers and judges: who answers a question from its context, and who grades the answer."""

import logging
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from schemas.errors import AnswerError
from tasks.chat.io.calls import Calls, Item, Result
from tasks.chat.io.client import Chat
from tasks.chunk.batches import batched
from tasks.embed.provider import Provider
from tasks.embed.vectors import Encoder, Vectors
from tasks.evaluate.answers.judging import (
    Judgement,
    build_judge_prompt,
    check_judgement,
    measure_judge_agreement,
    score_judgement,
    split_answer_into_sentences,
)
from tasks.evaluate.answers.metrics import average_faithfulness, score_embedding_support, score_lexical_support
from tasks.evaluate.answers.reading import Case, build_reader_prompt, find_nearest_row, parse_reader_answer, split_sentences

CASES_AT_ONCE = 64
"""Cases whose sentences are embedded together: enough for full batches, and few enough for the memory."""

Answer = str | None
"""What a reader says: nothing if the context does not hold the answer. None: what it said is of no use."""

MOST_REPEATED = 50
"""How many answers are judged twice, at most, spread evenly."""

logger = logging.getLogger(__name__)


def pick_nearest_sentences(cases: Sequence[Case], provider: Provider) -> list[Answer]:
    """Return for each case the sentence of its context that is nearest to the question; nothing if there is no sentence."""
    return [answer for part in batched(cases, CASES_AT_ONCE) for answer in _pick_nearest_sentences(part, provider)]


def _pick_nearest_sentences(cases: Sequence[Case], provider: Provider) -> Iterator[Answer]:
    split = [split_sentences(case.context) for case in cases]
    asked = provider.encode_queries([case.question.question for case in cases])
    vectors = _encode_texts(split, provider)
    for question, of_case in zip(asked, split, strict=True):
        yield of_case[find_nearest_row(question, _stack_vectors(vectors, of_case))] if of_case else ""


def ask_model_for_answers(cases: Sequence[Case], chat: Chat) -> list[Answer]:
    """Return for each case the answer of a language model. Without context there is nothing to ask.

    Raises:
        CostError, InputError, ServiceError: a call failed for good, see `Chat.ask_for_object`.
        AnswerError: none of the first answers is of any use.
    """
    with_context = [case for case in cases if case.context]
    texts = ask_model_about_each(
        lambda case: chat.ask_for_text(build_reader_prompt(case)), with_context, chat.options.calls_at_once, "answers"
    )
    replies = iter(texts)
    return [(None if (text := next(replies)) is None else parse_reader_answer(text)) if case.context else "" for case in cases]


def score_faithfulness(cases: Sequence[Case], answers: Sequence[str], encoder: Encoder) -> list[float]:
    """Return the faithfulness (lexical and embedding support) of the answer to each case. No answer may be empty."""
    return [
        value
        for part in batched(zip(cases, answers, strict=True), CASES_AT_ONCE)
        for value in _score_sentence_support(part, encoder)
    ]


def _score_sentence_support(pairs: Sequence[tuple[Case, str]], encoder: Encoder) -> Iterator[float]:
    """Yield a value for each pair. What stands word for word in the context needs no vectors."""
    claims = [split_answer_into_sentences(answer) for _, answer in pairs]
    contexts = [split_sentences(case.context) for case, _ in pairs]
    lexical = [[score_lexical_support(claim, context) for claim in of] for of, context in zip(claims, contexts, strict=True)]
    open_cases = [at for at, values in enumerate(lexical) if min(values) < 1]
    vectors = _encode_texts([of[at] for at in open_cases for of in (claims, contexts)], encoder)
    for at, values in enumerate(lexical):
        embedded = [0.0] * len(values)
        if min(values) < 1:
            context = _stack_vectors(vectors, contexts[at])
            embedded = [score_embedding_support(vectors[claim], context) for claim in claims[at]]
        yield average_faithfulness(values, embedded)


def _encode_texts(groups: Sequence[Sequence[str]], encoder: Encoder) -> dict[str, Vectors]:
    texts = list(dict.fromkeys(text for group in groups for text in group))
    return dict(zip(texts, encoder.encode(texts), strict=True)) if texts else {}


def _stack_vectors(vectors: dict[str, Vectors], texts: Sequence[str]) -> Vectors:
    return np.stack([vectors[text] for text in texts]) if texts else np.empty((0, 0), np.float32)


def judge_answers(cases: Sequence[Case], answers: Sequence[str], chat: Chat) -> list[dict[str, float]]:
    """Return the scores of the answer to each case by metric; none where the judgement is of no use. No answer may be empty.

    Raises:
        CostError, InputError, ServiceError: a call failed for good, see `Chat.ask_for_object`.
        AnswerError: none of the first judgements is of any use.
    """
    given = list(zip(cases, answers, strict=True))
    first = _ask_judge([(case, answer, 0) for case, answer in given], chat)
    step = -(-len(given) // MOST_REPEATED)
    again = [at for at in range(0, len(given), max(1, step)) if first[at]]
    second = dict(zip(again, _ask_judge([(*given[at], 1) for at in again], chat), strict=True))
    scores: list[dict[str, float]] = []
    for at, one in enumerate(first):
        scores.append(score_judgement(one) if one else {})
        if one and (other := second.get(at)):
            scores[-1]["judge_agreement"] = measure_judge_agreement(one.grades, other.grades)
    return scores


def _ask_judge(asked: Sequence[tuple[Case, str, int]], chat: Chat) -> list[Judgement | None]:
    def ask_once(one: tuple[Case, str, int]) -> Judgement:
        return check_judgement(chat.ask_for_object(build_judge_prompt(*one), Judgement), one[1])

    return ask_model_about_each(ask_once, asked, chat.options.calls_at_once, "judgements")


def ask_model_about_each(
    ask: Callable[[Item], Result], items: Sequence[Item], calls_at_once: int, what: str
) -> list[Result | None]:
    """Return what `ask` returns for each item, in their order; None where the model's answer is of no use, which is logged.

    `what` names the answers in the log.

    Raises:
        CostError, InputError, ServiceError: a call raised it.
        AnswerError: none of the first answers is of any use.
    """
    calls = Calls(ask, calls_at_once)
    found = calls.ask_each(items)
    if calls.stopped:
        raise calls.stopped
    useless = [one for one in found if isinstance(one, AnswerError)]
    if useless:
        logger.warning("%d of %d %s are of no use and have no scores, such as: %s", len(useless), len(found), what, useless[0])
    return [None if isinstance(one, AnswerError) else one for one in found]
