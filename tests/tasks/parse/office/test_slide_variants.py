"""Variants of what presentations hold: lengths that are no whole numbers, damaged parts, newer charts, raised text, comments."""

import io
import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from pptx import Presentation
from pptx.util import Inches

from tasks.parse.elements.flow_document import FlowDocument
from tasks.parse.office.slide_shapes import MAX_EMU, emu
from tasks.parse.office.slide_text import paragraph_text, text_blocks
from tasks.parse.office.slides import parse_pptx
from tests.tasks import drawn, office_drawn

P = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
LENGTHS = {
    "914400": 914400.0,
    "914400.0": 914400.0,
    "9.144e5": 914400.0,
    "9.144E+5": 914400.0,
    "-5": -5.0,
    "1in": 914400.0,
    "2.54cm": 914400.0,
    "25.4mm": 914400.0,
    "72pt": 914400.0,
    "": None,
    "far": None,
    "nan": None,
    "inf": None,
    "1e99": None,
    "0x10": None,
    None: None,
}


@pytest.mark.parametrize(("told", "length"), LENGTHS.items())
def test_a_length_is_read_as_programs_write_it(told: str | None, length: float | None) -> None:
    assert emu(told) == (None if length is None else pytest.approx(length))


@given(st.text())
def test_no_length_raises(told: str) -> None:
    assert (found := emu(told)) is None or abs(found) <= MAX_EMU


def deck() -> bytes:
    """A slide with a text, a table and a picture, and one with a text."""
    deck = Presentation()
    first = deck.slides.add_slide(deck.slide_layouts[5])
    first.shapes.title.text = "Berths"
    first.shapes.add_textbox(Inches(1), Inches(1), Inches(2), Inches(1)).text_frame.text = "Berth seven"
    first.shapes.add_table(1, 2, Inches(1), Inches(3), Inches(2), Inches(1)).table.cell(0, 0).text = "7"
    first.shapes.add_picture(io.BytesIO(drawn.chart_png()), Inches(4), Inches(4))
    deck.slides.add_slide(deck.slide_layouts[5]).shapes.title.text = "Second"
    return office_drawn.saved(deck)


def replaced(part: str, old: bytes, new: bytes) -> Callable[[dict[str, bytes]], None]:
    def change(parts: dict[str, bytes]) -> None:
        assert re.search(old, parts[part])
        parts[part] = re.sub(old, new, parts[part])

    return change


def damaged(part: str) -> Callable[[dict[str, bytes]], None]:
    return lambda parts: parts.update({part: b"<broken"})


def removed(part: str) -> Callable[[dict[str, bytes]], None]:
    def change(parts: dict[str, bytes]) -> None:
        del parts[part]

    return change


SLIDE, RELATIONS = "ppt/slides/slide1.xml", "ppt/slides/_rels/slide1.xml.rels"
DAMAGES = {
    "a broken coordinate": replaced(SLIDE, rb'<a:off x="\d+"', b'<a:off x="far"'),
    "a fraction": replaced(SLIDE, rb'x="(\d+)"', rb'x="\1.5"'),
    "an exponent": replaced(SLIDE, rb'cx="\d+"', b'cx="9.1e5"'),
    "no extent": replaced(SLIDE, rb"<a:ext c[^>]*/>", b""),
    "no transformation": replaced(SLIDE, rb"<a:xfrm>.*?</a:xfrm>", b""),
    "a damaged layout": damaged("ppt/slideLayouts/slideLayout6.xml"),
    "no layout": removed("ppt/slideLayouts/slideLayout6.xml"),
    "a damaged master": damaged("ppt/slideMasters/slideMaster1.xml"),
    "a damaged theme": damaged("ppt/theme/theme1.xml"),
    "damaged properties of slides": damaged("ppt/presProps.xml"),
    "a picture of no known type": replaced(
        "[Content_Types].xml", rb'Extension="png" ContentType="[^"]*"', b'Extension="x" ContentType="x"'
    ),
    "a damaged picture": damaged("ppt/media/image1.png"),
    "no relations": removed(RELATIONS),
    "damaged relations": damaged(RELATIONS),
    "an unknown shape": replaced(SLIDE, rb"<p:graphicFrame>", b"<p:oddFrame/><p:graphicFrame>"),
    "a level that is no number": replaced(SLIDE, rb"<a:p>", b'<a:p><a:pPr lvl="deep"/>'),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_costs_at_most_the_shape_that_has_it(damage: str) -> None:
    document = read(office_drawn.changed(deck(), DAMAGES[damage]))
    shown = [cell.text for block in document.blocks for cell in block.cells] + [block.text for block in document.blocks]
    assert {"Berths", "Berth seven", "7", "Second"} <= set(shown)


def test_damaged_properties_cost_only_themselves() -> None:
    document = read(office_drawn.changed(deck(), damaged("docProps/core.xml")))
    assert "docProps/core.xml" in document.rejects[0]["message"]
    assert document.blocks[0].text == "Berths"


HIDDEN = [rb'name="TextBox', rb'name="Table']


@pytest.mark.parametrize("name", HIDDEN)
def test_a_hidden_shape_is_hidden_text_behind_what_is_shown(name: bytes) -> None:
    document = read(office_drawn.changed(deck(), replaced(SLIDE, name, b'hidden="1" ' + name)))
    texts = [block.text for block in document.blocks if block.kind == "hidden"]
    assert texts in (["Berth seven"], ["7"])
    assert not any(block.text in texts or any(cell.text in texts for cell in block.cells) for block in document.blocks[:2])


def test_a_hidden_title_names_its_slide_and_a_hidden_group_is_said_once() -> None:
    presentation = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[5])
    slide.shapes.title.text = "Berths"
    slide.shapes.title._element.nvSpPr.cNvPr.set("hidden", "1")
    group = slide.shapes.add_group_shape()
    group._element.nvGrpSpPr.cNvPr.set("hidden", "true")
    inner = group.shapes.add_textbox(Inches(1), Inches(1), Inches(2), Inches(1))
    inner.text_frame.text = "Answer"
    inner._element.nvSpPr.cNvPr.set("hidden", "1")
    found = [(block.kind, block.text) for block in read(office_drawn.saved(presentation)).blocks]
    assert found == [("heading", "Berths"), ("hidden", "Answer")]


BULLETS = {
    "arabicPeriod": "1. ",
    "arabicParenBoth": "(1) ",
    "alphaLcParenR": "a) ",
    "romanUcPeriod": "I. ",
    "circleNumDbPlain": "① ",
    "ea1ChsPeriod": "一. ",
    "ea1JpnKorPlain": "一 ",
    "hebrew2Minus": "א- ",
    "arabic1Minus": "أ- ",
    "arabicDbPlain": "\uff11 ",
    "thaiNumParenR": "๑) ",
    "hindiNumPeriod": "१. ",
}


@pytest.mark.parametrize(("kind", "label"), BULLETS.items())
def test_an_item_has_the_number_of_its_kind(kind: str, label: str) -> None:
    body = f'<p:txBody {P} {A}><a:p><a:pPr><a:buAutoNum type="{kind}"/></a:pPr>{run("x")}</a:p></p:txBody>'
    assert [block.text for block in text_blocks(etree.fromstring(body), [])] == [f"{label}x"]


def read(data: bytes) -> FlowDocument:
    return parse_pptx(data, lambda _: None)


def run(text: str, properties: str = "") -> str:
    return f"<a:r><a:rPr {properties.partition('|')[0]}>{properties.partition('|')[2]}</a:rPr><a:t>{text}</a:t></a:r>"


LINES = {
    run("10") + run("6", 'baseline="30000"'): "10^6",
    run("10") + run("6", 'baseline="30%"'): "10^6",
    run("CO") + run("2", 'baseline="-25000"'): "CO₂",
    run("45.6") + run("1", 'baseline="30000"'): "45.6^1",
    run("10") + run("-", 'baseline="30000"') + run("3", 'baseline="30000"'): "10^(-3)",
    run("x") + run("max", 'baseline="-25000"'): "x_max",
    run("the 1") + run("st", 'baseline="30000"'): "the 1st",
    run("all", 'baseline="30000"'): "all",
    run("5") + run("0", 'baseline="0"'): "50",
    run("A ") + run("à", '|<a:sym typeface="Wingdings"/>') + run(" B"): "A → B",
    run("café", '|<a:sym typeface="Wingdings"/>'): "café",
    run("ü", '|<a:latin typeface="Wingdings"/>') + run(" done"): "✓ done",
    run("Price ") + run("4", 'strike="sngStrike"') + run("0 ", 'strike="dblStrike"') + run("30"): "Price ~~40~~ 30",
    run("Price ") + run("40", 'strike="noStrike"'): "Price 40",
    run("all void", 'strike="sngStrike"'): "~~all void~~",
    run("one_x000B_two"): "one\ntwo",
    "<a:fld type='slidenum'><a:t>\u2039#\u203a</a:t></a:fld>" + run("Port"): "Port",
    "<a:fld type='slidenum'><a:t>7</a:t></a:fld>": "7",
}


@pytest.mark.parametrize(("inner", "text"), LINES.items())
def test_a_line_says_what_readers_see(inner: str, text: str) -> None:
    assert paragraph_text(etree.fromstring(f"<a:p {A}>{inner}</a:p>")) == (text, False)
