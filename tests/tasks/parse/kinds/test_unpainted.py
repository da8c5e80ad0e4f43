import pytest

from tasks.parse.kinds.unpainted import without_unpainted
from tasks.parse.layout.geometry import Box
from tasks.parse.layout.regions import Region

FIGURE = Region((100, 100, 300, 200), "figure")


@pytest.mark.parametrize(
    ("pictures", "drawn"),
    [([(0, 0, 600, 800)], []), ([(290, 190, 400, 400)], []), ([], [(120, 150, 280, 150)]), ([], [(90, 90, 305, 205)])],
    ids=["scan", "touching picture", "rule", "outline"],
)
def test_a_figure_with_a_picture_or_a_drawing_stays(pictures: list[Box], drawn: list[Box]) -> None:
    assert without_unpainted([FIGURE], pictures, drawn) == [FIGURE]


def test_a_figure_of_nothing_but_text_is_a_paragraph() -> None:
    text = Region((0, 300, 500, 400), "paragraph")
    found = without_unpainted([FIGURE, text], [(400, 100, 500, 200)], [(0, 0, 600, 800), (100, 250, 300, 250)])
    assert found == [Region(FIGURE.box, "paragraph", role="text"), text]
