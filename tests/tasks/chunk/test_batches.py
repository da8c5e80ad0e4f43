from collections.abc import Iterator

from tasks.chunk.batches import batched


def test_a_batch_asks_for_no_more_items_than_it_holds() -> None:
    asked: list[int] = []

    def numbers() -> Iterator[int]:
        for n in range(5):
            asked.append(n)
            yield n

    batches = batched(numbers(), 2)
    assert (next(batches), asked) == ([0, 1], [0, 1])
    assert list(batches) == [[2, 3], [4]]
    assert list(batched([], 3)) == []
