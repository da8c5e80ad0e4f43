import threading
from collections.abc import Sequence
from typing import Any

import pytest
from PIL import Image

from schemas.conform import make_table_from_rows
from schemas.options.sections import DescribeOptions
from schemas.staged import PARSED
from tasks.describe.figure_types import FigureClass
from tasks.describe.io import classify
from tasks.describe.io.classify import classify_figures, classify_pictures
from tasks.describe.io.clip import Clip
from tasks.describe.io.describe import find_figures_to_describe
from tasks.parse.elements.from_regions import element
from tests.tasks.describe.io.test_describe import BOX, parsed_row, picture
from tests.tasks.describe.io.test_figure_ocr import saved

OPTIONS = DescribeOptions()
INKS = ("red", "blue", "green", "white", "black", "red", "yellow")


def test_figures_of_a_document_are_looked_at_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    images = [saved(Image.new("RGB", (60, 60), ink)) for ink in INKS]
    elements = [element(1, "figure", "", bbox=BOX if n != 4 else {**BOX, "x1": 101.0}) for n in range(len(INKS))]
    row = parsed_row(*elements, figures=[picture(n, image) for n, image in enumerate(images)])
    parsed = make_table_from_rows([row], PARSED)
    sizes: list[int] = []

    def counted(clip: Clip, prepared: Sequence[Any]) -> Any:
        sizes.append(len(prepared))
        return encode(clip, prepared)

    encode = Clip.pictures
    monkeypatch.setattr(classify, "AT_ONCE", 2)
    monkeypatch.setattr(Clip, "pictures", counted)
    found = classify_figures(parsed, OPTIONS)
    assert [*found] == find_figures_to_describe(row, OPTIONS) == [0, 1, 2, 3, 5, 6]
    assert sizes == [2, 2, 1]
    assert [found[n].kind for n in found] == [each.kind for each in classify_pictures([images[n] for n in found], OPTIONS)]


def test_the_next_pictures_are_decoded_while_the_model_sees_the_last_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    images = [saved(Image.new("RGB", (60, 60), (n, 0, 0))) for n in range(6)]
    ahead = threading.Event()
    prepare, encode = Clip.prepare, Clip.pictures
    n_prepared: list[None] = []

    def counted(clip: Clip, picture: Image.Image) -> Any:
        n_prepared.append(None)
        if len(n_prepared) == 4:
            ahead.set()
        return prepare(clip, picture)

    def waiting(clip: Clip, prepared: Sequence[Any]) -> Any:
        assert ahead.wait(60)
        return encode(clip, prepared)

    monkeypatch.setattr(classify, "AT_ONCE", 2)
    monkeypatch.setattr(Clip, "prepare", counted)
    monkeypatch.setattr(Clip, "pictures", waiting)
    assert len(classify_pictures(images, OPTIONS)) == 6


def test_a_picture_that_cannot_be_read_has_an_empty_class_among_others() -> None:
    whole = saved(Image.new("RGB", (60, 60), "red"))
    found = classify_pictures([b"no picture", whole, b"no picture", whole], OPTIONS)
    assert found[0] == found[2] == FigureClass()
    assert found[1] == found[3] != FigureClass()
