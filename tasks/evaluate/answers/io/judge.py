"""Judge: a language model grades answers, some of them twice, to see whether it agrees with itself."""

from collections.abc import Sequence

from tasks.evaluate.answers.io.ask_each import ask_each
from tasks.evaluate.answers.judging import Judgement, agreement, build_judge_prompt, check_judgement, score_judgement
from tasks.evaluate.answers.reading import Case
from tasks.evaluate.io.chat.client import Chat

MOST_REPEATED = 50
"""How many answers are judged twice, at most, spread evenly."""


def judge_answers(cases: Sequence[Case], answers: Sequence[str], chat: Chat) -> list[dict[str, float]]:
    """Return the scores of the answer to each case by metric; none where the judgement is of no use. No answer may be empty.

    Raises:
        CostError, InputError, ServiceError: a call failed for good, see `Chat.ask`.
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
            scores[-1]["judge_agreement"] = agreement(one.grades, other.grades)
    return scores


def _ask_judge(asked: Sequence[tuple[Case, str, int]], chat: Chat) -> list[Judgement | None]:
    def ask(one: tuple[Case, str, int]) -> Judgement:
        return check_judgement(chat.ask(build_judge_prompt(*one), Judgement), one[1])

    return ask_each(ask, asked, chat.options.calls_at_once, "judgements")
