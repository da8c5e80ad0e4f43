"""Asking: one call to a language model for each of many items, some at a time."""

import logging
import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

from schemas.errors import AnswerError, CostError, InputError, PagemillError, ServiceError
from tasks.workers.side_by_side import side_by_side

FIRST_CALLS = 8
"""So many items are asked about first. If no answer is of any use, the model is not asked more."""

Item = TypeVar("Item")
Result = TypeVar("Result")
logger = logging.getLogger(__name__)


def ask_each(ask: Callable[[Item], Result], items: Sequence[Item], calls_at_once: int, what: str) -> list[Result | None]:
    """Return what `ask` returns for each item, in their order; None where the model's answer is of no use, which is logged.

    `what` names the answers in the log. Calls under way are ended before an error is raised, so that what they cost is not lost.

    Raises:
        CostError, InputError, ServiceError: a call raised it.
        AnswerError: none of the first answers is of any use.
    """
    stopped: list[PagemillError] = []

    def tried(item: Item) -> Result | AnswerError | None:
        try:
            return None if stopped else ask(item)
        except AnswerError as error:
            return error
        except (CostError, InputError, ServiceError) as error:
            stopped.append(error)
            return None

    found: list[Result | AnswerError | None] = []
    for part in (items[:FIRST_CALLS], items[FIRST_CALLS:]):
        found += side_by_side(tried, part, calls_at_once, threading.Event())
        if stopped:
            raise stopped[0]
        useless = [one for one in found if isinstance(one, AnswerError)]
        if useless and len(useless) == len(found):
            raise useless[0]
    if useless:
        logger.warning("%d of %d %s are of no use and have no scores, such as: %s", len(useless), len(found), what, useless[0])
    return [None if isinstance(one, AnswerError) else one for one in found]
