"""How many tokens, or pictures, a device takes at once: found by doubling until its memory says no, and halved where it does."""

from collections.abc import Callable, Sequence

MOST_TOKENS = 1 << 16
"""Beyond this a larger batch is no faster on any device, and its texts, of less like lengths, need more padding."""
PATIENCE, MOST_PATIENCE = 32, 256
"""Full batches that must fit before more is tried where memory was full. Each vain try asks for twice as many: memory that others
took comes back, that of a small device does not."""


class Budget:
    """The tokens of one batch, padding included. It grows with every full batch that fits, unless it is `fixed`."""

    def __init__(self, tokens: int, fixed: bool) -> None:
        self.tokens, self._fixed = tokens, fixed
        self._patience = self._fitted = 0
        self._tries_more = False

    def fitted(self) -> None:
        """Try twice as much next time, unless that was refused lately."""
        if self._tries_more:
            self._patience = 0
        self._fitted += 1
        self._tries_more = not self._fixed and self._fitted > self._patience
        if self._tries_more:
            self.tokens, self._fitted = min(2 * self.tokens, max(MOST_TOKENS, self.tokens)), 0

    def refused(self, tokens: int) -> None:
        """Take half of what did not fit, for a while."""
        self._patience = min(max(PATIENCE, self._patience * (2 if self._tries_more else 1)), MOST_PATIENCE)
        self.tokens, self._fitted, self._tries_more = max(1, tokens // 2), 0, False


def in_batches(
    lengths: Sequence[int], budget: Budget, run: Callable[[list[int]], None], is_full: Callable[[Exception], bool]
) -> None:
    """Call `run` with indices of `lengths`, longest first, in batches within the budget, or of a single text.

    `is_full` returns whether an error of `run` is want of memory: then the batch is halved.

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
        if len(rows) == most:
            budget.fitted()
