import math

import numpy as np

from tasks.embed.bert import Bert, Block, Linear, _apply_gelu, compute_states

WIDTH = 8


def a_bert(seed: int = 3) -> Bert:
    """A model of two blocks with random weights."""
    chance = np.random.default_rng(seed)

    def array(*shape: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        return chance.normal(size=shape).astype(np.float32)

    def linear(n_out: int, n_in: int) -> Linear:
        return Linear(array(n_out, n_in), array(n_out))

    def norm() -> Linear:
        return Linear(array(WIDTH), array(WIDTH))

    def block() -> Block:
        return Block(linear(3 * WIDTH, WIDTH), linear(WIDTH, WIDTH), norm(), linear(16, WIDTH), linear(WIDTH, 16), norm())

    return Bert(array(20, WIDTH), array(12, WIDTH), norm(), (block(), block()), 2, 1e-12)


def test_gelu_is_exact_to_float32() -> None:
    x = np.linspace(-9, 9, 3001, dtype=np.float32).reshape(-1, 1)
    exact = np.array([v * 0.5 * (1 + math.erf(v / math.sqrt(2))) for v in x[:, 0].tolist()])
    assert np.abs(_apply_gelu(x.copy())[:, 0] - exact).max() < 1e-6


def test_a_texts_states_do_not_depend_on_the_others() -> None:
    bert, ids = a_bert(), [[1, 2, 3], [4], [5, 6, 7, 8, 9, 10], [1, 2, 3]]
    together = compute_states(bert, ids)
    assert [found.shape for found in together] == [(3, WIDTH), (1, WIDTH), (6, WIDTH), (3, WIDTH)]
    for row, found in zip(ids, together, strict=True):
        assert np.allclose(compute_states(bert, [row])[0], found, atol=1e-5)


def test_what_linear_layers_are_given_can_be_watched() -> None:
    seen: dict[tuple[int, str], tuple[int, ...]] = {}
    compute_states(a_bert(), [[1, 2], [3, 4, 5]], lambda number, name, given: seen.update({(number, name): given.shape}))
    assert seen == {
        (number, name): (5, 16 if name == "narrow" else WIDTH)
        for number in (0, 1)
        for name in ("attend", "attended", "widen", "narrow")
    }
