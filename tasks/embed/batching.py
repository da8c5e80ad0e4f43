"""Batches: texts of like length together, within what a device takes at once, and shared out among several devices."""

from collections.abc import Callable, Iterator, Sequence


def split_into_batches(lengths: Sequence[int], batch_tokens: int) -> Iterator[list[int]]:
    """Yield indices of `lengths`, longest first, in batches of at most `batch_tokens` with padding, or of a single text."""
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        if batch and (len(batch) + 1) * lengths[batch[0]] > batch_tokens:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


def split_by_padded_length(lengths: Sequence[int], batch_tokens: int, step: int) -> Iterator[tuple[int, list[int]]]:
    """Yield a padded length, a multiple of `step`, with indices of `lengths` that need it, longest first.

    A text is padded to the same length in any company. A batch holds at most `batch_tokens` tokens, or a single text.
    """
    padded = [-(-length // step) * step for length in lengths]
    for length in sorted(set(padded), reverse=True):
        rows = [index for index, needed in enumerate(padded) if needed == length]
        size = max(1, batch_tokens // length)
        for at in range(0, len(rows), size):
            yield length, rows[at : at + size]


CACHED_TOKENS = 1024
"""Most tokens of a batch on a CPU: more at once are no faster, and their intermediate values leave the processor's cache."""
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

    def record_fit(self) -> None:
        """Try twice as much next time, unless that was refused lately."""
        if self._tries_more:
            self._patience = 0
        self._fitted += 1
        self._tries_more = not self._fixed and self._fitted > self._patience
        if self._tries_more:
            self.tokens, self._fitted = min(2 * self.tokens, max(MOST_TOKENS, self.tokens)), 0

    def record_refusal(self, tokens: int) -> None:
        """Take half of what did not fit, for a while."""
        self._patience = min(max(PATIENCE, self._patience * (2 if self._tries_more else 1)), MOST_PATIENCE)
        self.tokens, self._fitted, self._tries_more = max(1, tokens // 2), 0, False


def run_in_batches(
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
            budget.record_refusal(len(rows) * longest)
            continue
        at += len(rows)
        if len(rows) == most:
            budget.record_fit()


PARTS_EACH = 4
"""Parts for each device. The device that is done first takes the next part, so a slow one keeps few others waiting."""


def split_for_devices(lengths: Sequence[int], n_devices: int) -> list[list[int]]:
    """Return indices of `lengths`, longest first, in at most `n_devices` * PARTS_EACH parts of about equally many tokens.

    A part holds texts of like length, which need little padding.

    >>> split_for_devices([2, 8, 2, 4], 1)
    [[1], [3], [0, 2]]
    """
    share = sum(lengths) / (n_devices * PARTS_EACH)
    parts: list[list[int]] = []
    tokens = before = 0.0
    for index in sorted(range(len(lengths)), key=lambda index: -lengths[index]):
        if not parts or tokens >= before + share:
            parts.append([])
            before = tokens
        parts[-1].append(index)
        tokens += lengths[index]
    return parts
