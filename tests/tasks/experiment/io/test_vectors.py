from pathlib import Path

import numpy as np

from schemas.options.sections import EmbedOptions
from tasks.embed.io.embedder import Embedder
from tasks.experiment.io.vectors import VectorFile

OPTIONS = EmbedOptions(engine="torch")


def test_each_text_is_embedded_once_and_never_again(tmp_path: Path, embedded: list[str]) -> None:
    with VectorFile(tmp_path, OPTIONS) as vectors:
        first = vectors.encode(["a heron", "a mill", "a heron"])
    with VectorFile(tmp_path, OPTIONS) as vectors:
        second = vectors.encode(["a mill", "a river"])
    assert embedded == ["a heron", "a mill", "a river"]
    assert np.array_equal(first[0], first[2])
    assert np.array_equal(first[1], second[0])
    assert np.allclose(first[:2], Embedder(OPTIONS.model, OPTIONS).encode(["a heron", "a mill"]), atol=1e-6)


def test_the_time_of_a_text_is_kept_with_it(tmp_path: Path) -> None:
    with VectorFile(tmp_path, OPTIONS) as vectors:
        vectors.encode(["a heron", "a heron stands in the river"])
        short, long = vectors.seconds(["a heron", "a heron"]), vectors.seconds(["a heron stands in the river"])
        assert 0 < short < long
        assert vectors.seconds(["never embedded"]) == 0


def test_other_options_of_embedding_have_vectors_of_their_own(tmp_path: Path, embedded: list[str]) -> None:
    for options in (OPTIONS, EmbedOptions(engine="torch", max_tokens=16), OPTIONS.model_copy(update={"too_long": "mean"})):
        with VectorFile(tmp_path, options) as vectors:
            vectors.encode(["a heron"])
    assert embedded == ["a heron"] * 3


def test_no_text_has_no_vector(tmp_path: Path) -> None:
    with VectorFile(tmp_path, OPTIONS) as vectors:
        assert vectors.encode([]).shape == (0, vectors.dimension)
