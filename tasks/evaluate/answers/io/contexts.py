"""Contexts: what a reader is given for each question and budget, the text of the results cut to the budget."""

from collections.abc import Sequence
from functools import cache

from tasks.evaluate.answers.reading import Case, cut_to_budget
from tasks.evaluate.io.score import Evaluation, LocatedQuestions, SearchResults, open_tokenizer
from tasks.evaluate.scoring import Span
from tasks.search.io.ask import results_within


def make_cases(evaluation: Evaluation, located: LocatedQuestions, found: SearchResults) -> list[Case]:
    """Return a case for each located question and each budget, in tokens of the corpus's embedder."""
    tokenizer = open_tokenizer(evaluation)

    @cache
    def offsets(text: str) -> Sequence[Span]:
        return tokenizer.offsets(text)

    return [
        Case(question, budget, cut_to_budget([hit.text for hit in found.results[results_within(budget)][at]], budget, offsets))
        for at, question in enumerate(located.questions)
        for budget in evaluation.options.budgets
    ]
