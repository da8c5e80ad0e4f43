"""How many tokens, or pictures, a device takes at once: found by doubling until its memory says no, and halved where it does."""

from collections.abc import Callable, Sequence

MOST_TOKENS = 1 << 18
"""Beyond this a larger batch is no faster on any device."""


class Budget:
    """The tokens of one batch, padding included. It grows with every full batch that fits, unless it is `fixed`."""

    def __init__(self, tokens: int, fixed: bool) -> None:
        self.tokens, self._fixed = tokens, fixed

    def fitted(self) -> None:
        """Try twice as much next time."""
        if not self._fixed:
            self.tokens = min(2 * self.tokens, max(MOST_TOKENS, self.tokens))

    def refused(self, tokens: int) -> None:
        """Take half of what did not fit, and never more again."""
        self.tokens, self._fixed = max(1, tokens // 2), True


def in_batches(
    lengths: Sequence[int], budget: Budget, run: Callable[[list[int]], None], is_full: Callable[[Exception], bool]
) -> None:
    """Call `run` with indices of `lengths`, longest first, in batches within the budget, or of a single text.

    `is_full` tells of an error of `run` whether it is want of memory: then the batch is halved.

    Raises:
        Exception: `run` fails for another reason, or a single text does not fit.
    """
    order = sorted(range(len(lengths)), key=lambda index: -lengths[index])
    at = 0
    while at < len(order):
        longest = lengths[order[at]]
        most = max(1, budget.tokens // longest)
        rows = order[at : at + most]
        try:
            run(rows)
        except Exception as error:
            if len(rows) == 1 or not is_full(error):
                raise
            budget.refused(len(rows) * longest)
            continue
        at += len(rows)
        if len(rows) == most and most > 1:
            budget.fitted()
