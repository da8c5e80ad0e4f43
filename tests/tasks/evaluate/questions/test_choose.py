import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tasks.evaluate.questions import choose
from tasks.evaluate.questions.choose import find_duplicate_vectors


def one_by_one(vectors: np.ndarray, least: float) -> list[int | None]:
    kept: list[int] = []
    found: list[int | None] = []
    for at, vector in enumerate(vectors):
        first = next((other for other in kept if vectors[other] @ vector >= least), None)
        found.append(first)
        kept += [at] if first is None else []
    return found


@given(n=st.integers(0, 40), block=st.integers(1, 9), seed=st.integers(0, 1000), least=st.sampled_from([0.5, 0.9, 0.999]))
def test_blocks_find_what_comparing_one_by_one_finds(n: int, block: int, seed: int, least: float) -> None:
    drawn = np.random.default_rng(seed).integers(-2, 3, (n, 3)) + np.array([0.25, 0.25, 0.25])
    vectors = (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).astype(np.float32)
    whole = choose.BLOCK
    try:
        choose.BLOCK = block
        assert find_duplicate_vectors(vectors, least) == one_by_one(vectors, least)
    finally:
        choose.BLOCK = whole
