"""Batches of texts of like length."""

from collections.abc import Iterator, Sequence


def batches(lengths: Sequence[int], batch_tokens: int) -> Iterator[list[int]]:
    """Yield indices of `lengths`, longest first, in batches of at most `batch_tokens` with padding, or of a single text."""
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        if batch and (len(batch) + 1) * lengths[batch[0]] > batch_tokens:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


def alike(lengths: Sequence[int], batch_tokens: int, step: int) -> Iterator[tuple[int, list[int]]]:
    """Yield a padded length, a multiple of `step`, with indices of `lengths` that need it, longest first.

    A text is padded to the same length in any company. A batch holds at most `batch_tokens` tokens, or a single text.
    """
    padded = [-(-length // step) * step for length in lengths]
    for length in sorted(set(padded), reverse=True):
        rows = [index for index, needed in enumerate(padded) if needed == length]
        size = max(1, batch_tokens // length)
        for at in range(0, len(rows), size):
            yield length, rows[at : at + size]
