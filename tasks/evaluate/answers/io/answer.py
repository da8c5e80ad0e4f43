"""Answer: have a reader answer the questions from what was found within each budget, and score its answers."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from functools import cache
from typing import NamedTuple

from tasks.chat.io.client import Chat
from tasks.chat.io.ledger import ChatCosts
from tasks.evaluate.answers.io.models import check_nli_model, encode_tokens, score_entailment
from tasks.evaluate.answers.io.readers import (
    Answer,
    ask_model_for_answers,
    judge_answers,
    pick_nearest_sentences,
    score_faithfulness,
)
from tasks.evaluate.answers.metrics import bertscore, exact_match, token_f1
from tasks.evaluate.answers.reading import Case, cut_texts_to_budget
from tasks.evaluate.averages import ScoredQuestion
from tasks.evaluate.io.memory import open_sentence_memory
from tasks.evaluate.io.score import Evaluation, LocatedQuestions, SearchResults, open_searcher, open_tokenizer
from tasks.evaluate.scoring import Scores, Span
from tasks.search.io.ask import count_results_for_budget

Values = dict[str, float]
"""The scores of one answer by metric."""

logger = logging.getLogger(__name__)


class AnswerScores(NamedTuple):
    """The scores of the answers to each question by its id, and what the language model cost."""

    scores: Mapping[str, Scores] = {}
    spent: ChatCosts = ChatCosts()


def score_answers(evaluation: Evaluation, located: LocatedQuestions, found: SearchResults) -> AnswerScores:
    """Answer each located question within each budget, and score the answers. Without a reader, there is nothing to do.

    Raises:
        CorpusError: the embedder of the corpus is not installed.
        CostError, InputError, ServiceError: a call failed for good. What the model said before is kept in the corpus.
        AnswerError: the model's first answers, or its first judgements, are of no use.
    """
    options = evaluation.options
    if options.answers == "none":
        return AnswerScores()
    cases = make_answer_cases(evaluation, located, found)
    model = Chat(evaluation.chat, evaluation.corpus.answers) if options.asks_model else nullcontext()
    with model as chat, open_sentence_memory(evaluation.corpus, evaluation.live.embedder) as memory:
        encoder = open_searcher(evaluation).embedder.with_memory(memory)
        reads = chat is not None and options.answers == "chat"
        answers = ask_model_for_answers(cases, chat) if chat and reads else pick_nearest_sentences(cases, encoder)
        values = [_score_answer_text(case, text) for case, text in zip(cases, answers, strict=True)]
        answered = [at for at, text in enumerate(answers) if text]
        given, texts = [cases[at] for at in answered], [answers[at] or "" for at in answered]
        for at, support in zip(answered, score_faithfulness(given, texts, encoder), strict=True):
            values[at]["answer_faithfulness_support"] = support
        if options.nli_model:
            for at, follows in zip(answered, score_entailment(given, texts, check_nli_model(options.nli_model)), strict=True):
                values[at]["answer_faithfulness_nli"] = follows
        if chat and options.judge:
            for at, grades in zip(answered, judge_answers(given, texts, chat), strict=True):
                values[at] |= grades
    for at, f1 in _score_bert(cases, answers):
        values[at]["answer_bertscore_minilm"] = f1
    spent = chat.costs if chat else ChatCosts()
    if chat:
        logger.info("answers by %s: %s", chat.options.model, spent)
    return AnswerScores(_group_scores_by_question(cases, values), spent)


def _score_answer_text(case: Case, text: Answer) -> Values:
    """Return the scores of an answer that need no model. An answer of no use has none."""
    if text is None:
        return {}
    values = {"answer_none": float(not text)}
    if expected := _get_expected_answer(case):
        values |= {"answer_em": exact_match(text, expected), "answer_f1": token_f1(text, expected)}
    return values


def _get_expected_answer(case: Case) -> str:
    return (case.question.answer or "").strip()


def _score_bert(cases: Sequence[Case], answers: Sequence[Answer]) -> Iterator[tuple[int, float]]:
    """Yield the place and the F1 of each answer to a question with an expected one; 0 where the reader gives none."""
    pairs = {
        at: (text, _get_expected_answer(cases[at]))
        for at, text in enumerate(answers)
        if text is not None and _get_expected_answer(cases[at])
    }
    states = encode_tokens([text for pair in pairs.values() for text in pair if text])
    for at, (text, expected) in pairs.items():
        yield at, bertscore(states[text], states[expected]).f1 if text else 0.0


def _group_scores_by_question(cases: Sequence[Case], values: Sequence[Values]) -> dict[str, Scores]:
    found: dict[str, Scores] = {}
    for case, of_case in zip(cases, values, strict=True):
        found.setdefault(case.question.id, {}).update({(metric, case.budget): value for metric, value in of_case.items()})
    return found


def add_answer_scores(scored: Sequence[ScoredQuestion], answered: AnswerScores) -> list[ScoredQuestion]:
    """Return the scores of questions with those of their answers."""
    return [one._replace(scores=one.scores | answered.scores.get(one.question_id, {})) for one in scored]


def make_answer_cases(evaluation: Evaluation, located: LocatedQuestions, found: SearchResults) -> list[Case]:
    """Return a case for each located question and each budget, in tokens of the corpus's embedder."""
    tokenizer = open_tokenizer(evaluation)

    @cache
    def find_token_offsets(text: str) -> Sequence[Span]:
        return tokenizer.offsets(text)

    return [
        Case(
            question,
            budget,
            cut_texts_to_budget(
                [hit.text for hit in found.results[count_results_for_budget(budget)][at]], budget, find_token_offsets
            ),
        )
        for at, question in enumerate(located.questions)
        for budget in evaluation.options.budgets
    ]
