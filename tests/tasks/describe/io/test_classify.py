import pyarrow as pa
import pytest
from PIL import Image

from schemas.options.sections import DescribeOptions
from schemas.staged import PARSED
from tasks.describe.figure_types import FigureClass
from tasks.describe.io import classify
from tasks.describe.io.classify import classify_figures, classify_pictures
from tasks.describe.io.describe import described_figures
from tasks.parse.elements.from_regions import element
from tests.tasks.describe.io.test_describe import BOX, parsed_row, picture
from tests.tasks.describe.io.test_figure_ocr import saved

OPTIONS = DescribeOptions()
INKS = ("red", "blue", "green", "white", "black", "red", "yellow")


def test_figures_of_a_document_are_looked_at_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    images = [saved(Image.new("RGB", (60, 60), ink)) for ink in INKS]
    elements = [element(1, "figure", "", bbox=BOX if n != 4 else {**BOX, "x1": 101.0}) for n in range(len(INKS))]
    row = parsed_row(*elements, figures=[picture(n, image) for n, image in enumerate(images)]) | {"pages": []}
    names = ("figures", "elements", "pages")
    parsed = pa.table({name: pa.array([row[name]], PARSED.field(name).type) for name in names})
    sizes: list[int] = []

    def counted(held: list[bytes], options: DescribeOptions) -> list[FigureClass]:
        sizes.append(len(held))
        return classify_pictures(held, options)

    monkeypatch.setattr(classify, "AT_ONCE", 2)
    monkeypatch.setattr(classify, "classify_pictures", counted)
    found = classify_figures(parsed, OPTIONS)
    assert [*found] == described_figures(row, OPTIONS) == [0, 1, 2, 3, 5, 6]
    assert [found[n].kind for n in found] == [each.kind for each in classify_pictures([images[n] for n in found], OPTIONS)]
    assert sizes == [2, 2, 2]
