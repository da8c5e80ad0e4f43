"""Every way to hide text, and everything innocent that looks like it."""

from collections.abc import Callable
from typing import Any

import pymupdf
import pytest

from schemas.options.sections import ParseOptions
from tasks.parse.layout.geometry import box_of
from tasks.parse.pdf.io.document import parse_pdf
from tasks.parse.pdf.io.hidden_words import without_hidden
from tasks.parse.pdf.io.page_text import page_content_of

Draw = Callable[[Any], object]
AT = (72, 200)
AROUND = (60, 180, 300, 215)
BODY = "Anyone can read this line of text, which stands on the page as the body does."
RED, WHITE = (0.6, 0, 0), (1, 1, 1)


def picture(page: Any, box: tuple[float, ...], level: int, opacity: int | None = None) -> None:
    """Put a picture of one grey level on the page; with an `opacity` below 256 it lets through what is below it."""
    pixmap = pymupdf.Pixmap(pymupdf.csGRAY, (0, 0, 40, 40), opacity is not None)
    pixmap.clear_with(level)
    if opacity is not None:
        pixmap.set_alpha(bytes([opacity]) * 1600)
    page.insert_image(box, pixmap=pixmap, keep_proportion=False)


def page_with(draw: Draw) -> Any:
    page = pymupdf.open().new_page()
    for n in range(4):
        page.insert_text((72, 600 + 15 * n), BODY)
    draw(page)
    return pymupdf.open(stream=page.parent.tobytes())[0]


def steps(*draws: Draw) -> Draw:
    return lambda page: [draw(page) for draw in draws]


def text(**how: Any) -> Draw:
    return lambda page: page.insert_text(how.pop("at", AT), "secret", **how)


def patch(colour: tuple[float, ...], **how: Any) -> Draw:
    return lambda page: page.draw_rect(AROUND, fill=colour, color=None, **how)


def outside_the_crop_box(page: Any) -> None:
    page.insert_text((72, 30), "secret")
    page.set_cropbox((0, 50, 595, 842))


def under_a_round_shape(page: Any) -> None:
    page.insert_text(AT, "secret")
    page.draw_oval((0, 120, 300, 280), fill=WHITE, color=None)


HIDDEN: dict[str, Draw] = {
    "white on white paper": text(color=WHITE),
    "nearly white": text(color=(0.98, 0.99, 0.98)),
    "the colour of its band": steps(patch(RED), text(color=RED)),
    "the colour of its picture": steps(lambda page: picture(page, AROUND, 51), text(color=(0.2, 0.2, 0.2))),
    "too small": text(fontsize=0.8),
    "without ink": text(render_mode=3),
    "with no opacity": text(fill_opacity=0, stroke_opacity=0),
    "left of the page": text(at=(-200, 200)),
    "above the page": text(at=(72, -20)),
    "outside the crop box": outside_the_crop_box,
    "under a white rectangle": steps(text(), patch(WHITE)),
    "under a black bar": steps(text(), patch((0, 0, 0))),
    "under a round shape": under_a_round_shape,
    "under a picture": steps(text(), lambda page: picture(page, AROUND, 90)),
    "under a picture of its colour": steps(text(), lambda page: picture(page, AROUND, 0)),
}
SEEN: dict[str, Draw] = {
    "black on white": text(),
    "light grey": text(color=(0.8, 0.8, 0.8)),
    "white on a band": steps(patch(RED), text(color=WHITE)),
    "white on two bands": steps(lambda page: page.draw_rect(page.rect, fill=WHITE, color=None), patch(RED), text(color=WHITE)),
    "white on a dark picture": steps(lambda page: picture(page, AROUND, 20), text(color=WHITE)),
    "dark on a light picture": steps(lambda page: picture(page, AROUND, 230), text()),
    "on a dark page": steps(lambda page: page.draw_rect(page.rect, fill=RED, color=None), text(color=WHITE)),
    "under a marker": steps(text(), lambda page: page.add_highlight_annot(AROUND)),
    "under glass": steps(text(), patch((1, 1, 0), fill_opacity=0.3)),
    "under a watermark": steps(text(), lambda page: picture(page, AROUND, 0, opacity=60)),
    "in a frame": steps(text(), lambda page: page.draw_rect(AROUND)),
    "only outlined": text(render_mode=1),
    "small print": text(fontsize=4),
    "a white dash on a band": steps(patch(RED), lambda page: page.insert_text(AT, "\u2014\u2022 secret", color=WHITE)),
}


@pytest.mark.parametrize("how", HIDDEN)
def test_text_that_nobody_sees_is_hidden(how: str) -> None:
    page = page_with(HIDDEN[how])
    content = without_hidden(page, page_content_of(page))
    assert [word.text for word in content.hidden] == ["secret"]
    assert BODY.split()[0] in [word.text for word in content.words] or how == "on a dark page"


@pytest.mark.parametrize("how", SEEN)
def test_text_that_can_be_seen_is_not_hidden(how: str) -> None:
    page = page_with(SEEN[how])
    content = without_hidden(page, page_content_of(page))
    assert "secret" in [word.text for word in content.words]
    assert "secret" not in [word.text for word in content.hidden]


@pytest.mark.parametrize("below", [True, False])
@pytest.mark.parametrize("strips", [1, 4])
def test_the_text_layer_of_a_scan_is_not_hidden(below: bool, strips: int) -> None:
    page = pymupdf.open().new_page()
    if below:
        page.insert_text(AT, BODY)
    for n in range(strips):
        height = page.rect.height / strips
        picture(page, (0, n * height, page.rect.width, (n + 1) * height), 235)
    if not below:
        page.insert_text(AT, BODY, render_mode=3)
    page.insert_text((72, 800), "Copy 7")
    content = without_hidden(page, page_content_of(page))
    assert " ".join(word.text for word in content.words) == f"{BODY} Copy 7"
    assert not content.hidden


def test_text_without_ink_on_small_pictures_is_their_text_only_where_no_other_text_is_seen() -> None:
    def receipt(page: Any) -> None:
        picture(page, AROUND, 235)
        page.insert_text(AT, "secret", render_mode=3)

    alone = pymupdf.open().new_page()
    receipt(alone)
    assert [word.text for word in without_hidden(alone, page_content_of(alone)).words] == ["secret"]
    page = page_with(receipt)
    assert [word.text for word in without_hidden(page, page_content_of(page)).hidden] == ["secret"]


def test_a_hidden_copy_of_what_is_seen_is_dropped() -> None:
    page = page_with(steps(text(), text(render_mode=3)))
    content = without_hidden(page, page_content_of(page))
    assert [word.text for word in content.words].count("secret") == 1
    assert not content.hidden


def test_a_page_measured_in_inches_has_no_tiny_text() -> None:
    page = pymupdf.open().new_page(width=8.5, height=11)
    page.insert_text((1, 2), "small sheet", fontsize=0.15)
    assert not without_hidden(page, page_content_of(page)).hidden


def test_hidden_text_is_an_element_at_the_end_of_its_page() -> None:
    page = page_with(HIDDEN["white on white paper"])
    for n in range(6):
        page.insert_text((72, 300 + 15 * n), BODY)
    elements = parse_pdf(page.parent.tobytes(), ParseOptions(), lambda _: None)["elements"]
    assert [(element["kind"], element["text"]) for element in elements[-1:]] == [("hidden", "secret")]
    assert all("secret" not in element["text"] for element in elements[:-1])
    assert box_of(elements[-1])[0] == pytest.approx(72, abs=1)
