import struct
from concurrent.futures import ThreadPoolExecutor

from tasks.charts.charts import Point, draw_scatter_plot
from tasks.charts.io.image import render_markdown_image, render_png

CHART = draw_scatter_plot([Point(0.1, 0.9, "1", "small"), Point(0.4, 0.7, "2", "large")], "IoU", "recall")


def test_a_picture_is_a_png_of_the_stated_width() -> None:
    picture = render_png(CHART)
    assert picture.startswith(b"\x89PNG")
    assert struct.unpack(">II", picture[16:24]) == (960, 632)


def test_the_same_chart_gives_the_same_picture_in_every_thread() -> None:
    with ThreadPoolExecutor(4) as pool:
        pictures = list(pool.map(lambda _: render_png(CHART), range(8)))
    assert len(set(pictures)) == 1


def test_markdown_holds_the_picture_itself() -> None:
    assert render_markdown_image("Recall", CHART).startswith("![Recall](data:image/png;base64,iVBOR")
