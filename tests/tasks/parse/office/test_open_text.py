"""What files of LibreOffice show and their text does not hold: numbers, looks, formulas, charts; what hangs on it is kept."""

import pytest

from tasks.parse.elements.flow_document import FlowBlock
from tasks.parse.office.open_text import parse_odp, parse_odt
from tasks.parse.sheets.ods import parse_ods
from tests.tasks import files_drawn, office_drawn

SVG = 'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"'
STYLES = (
    '<text:list-style style:name="L">'
    '<text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/>'
    '<text:list-level-style-number text:level="2" style:num-format="a" style:num-prefix="(" style:num-suffix=")"/>'
    '<text:list-level-style-number text:level="3" style:num-format="i" text:display-levels="3"/>'
    '<text:list-level-style-bullet text:level="4"/></text:list-style><text:outline-style>'
    '<text:outline-level-style text:level="1" style:num-format="I" style:num-suffix="."/></text:outline-style>'
    f'<style:font-face style:name="W1" {SVG} svg:font-family="Wingdings"/>'
    '<style:style style:name="Hid"><style:text-properties text:display="none"/></style:style>'
    '<style:style style:name="Wing"><style:text-properties style:font-name="W1"/></style:style>'
    '<style:style style:name="Preformatted_20_Text"/><style:style style:name="P1" style:parent-style-name="Title"/>'
    '<style:style style:name="Title"/><style:style style:name="Figure" style:parent-style-name="Caption"/>'
    '<style:style style:name="Caption"/>'
)


def p(text: str, style: str = "") -> str:
    return f'<text:p text:style-name="{style}">{text}</text:p>'


def row(*cells: str) -> str:
    return f"<table:table-row>{''.join(f'<table:table-cell>{p(cell)}</table:table-cell>' for cell in cells)}</table:table-row>"


EMBEDDED = {
    "F/content.xml": b'<math xmlns="http://www.w3.org/1998/Math/MathML"><mfrac><mi>a</mi><mi>b</mi></mfrac></math>',
    "C/content.xml": (
        f"<office:document-content{files_drawn.NAMES}><office:body><office:chart>"
        f'<chart:title xmlns:chart="urn:oasis:names:tc:opendocument:xmlns:chart:1.0">{p("Rain")}</chart:title>'
        f"<table:table>{row('', 'mm', 'days') + row('May', '40', '9') + row('June', '35', '7')}</table:table>"
        "</office:chart></office:body></office:document-content>"
    ).encode(),
}


def blocks(body: str, masters: str = "") -> list[FlowBlock]:
    styled = f"<office:automatic-styles>{STYLES}</office:automatic-styles><office:body>".encode()

    def change(parts: dict[str, bytes]) -> None:
        content = parts["content.xml"]
        named = content[: content.index(b"<office:body>")] + masters.encode() + b"</office:document-content>"
        parts |= {**EMBEDDED, "styles.xml": named, "content.xml": content.replace(b"<office:body>", styled)}

    return parse_odt(office_drawn.changed(files_drawn.open_document("text", body), change)).blocks


def texts(body: str) -> list[str]:
    return [block.text or " ".join(cell.text for cell in block.cells) for block in blocks(body)]


def item(*inside: str, attributes: str = "") -> str:
    return f"<text:list-item{attributes}>{''.join(inside)}</text:list-item>"


def listed(*items: str, attributes: str = "") -> str:
    return f'<text:list text:style-name="L"{attributes}>{"".join(items)}</text:list>'


def heading(level: int, text: str) -> str:
    return f'<text:h text:outline-level="{level}">{text}</text:h>'


CONTINUED = listed(item(p("z")), attributes=' text:continue-numbering="true"')
DEEP = listed(item(p("y")), item(p("z"), listed(item(p("u"), listed(item(p("t")))))))
NUMBERED = {
    listed(item(p("x"), DEEP), item(p("v"), listed(item(p("w"))))): "1. x|(a) y|(b) z|1.b.i u|t|2. v|(a) w",
    listed(item(p("x"))) + listed(item(p("y"))) + CONTINUED: "1. x|1. y|2. z",
    listed(item(p("x"), attributes=' text:start-value="7"'), item(listed(item(p("y")))), item(p("z"))): "7. x|(a) y|8. z",
    listed(f"<text:list-header>{p('x')}</text:list-header>", item(p("y"), p("z"))): "x|1. y|z",
    heading(1, "x") + heading(2, "<text:number>A</text:number>y") + heading(1, "z"): "I. x|A y|II. z",
    listed(item(heading(1, "x")), item(p("y"))): "1. x|2. y",
}


@pytest.mark.parametrize(("body", "shown"), NUMBERED.items())
def test_items_and_headings_carry_the_numbers_that_their_styles_give(body: str, shown: str) -> None:
    assert texts(body) == shown.split("|")


def test_items_in_cells_are_numbered_and_notes_in_cells_are_kept() -> None:
    note = f"<text:note><text:note-citation>1</text:note-citation><text:note-body>{p('Dry.')}</text:note-body></text:note>"
    cells = (p(f"Rye{note}"), listed(item(p("x")), item(p("y"))))
    row = "".join(f"<table:table-cell>{cell}</table:table-cell>" for cell in cells)
    assert texts(f"<table:table><table:table-row>{row}</table:table-row></table:table>") == ["Rye[1] 1. x 2. y", "[1] Dry."]


def framed(inside: str) -> str:
    return f"<draw:frame>{inside}</draw:frame>"


FORMULA, CHART = (framed(f'<draw:object xlink:href="./{name}"/>') for name in "FC")
BOX = f"<draw:text-box>{p('y')}</draw:text-box>"
SHOWN = {
    p(f"x <text:span>{framed(BOX)}</text:span>z"): "paragraph x z|paragraph y",
    p(f"x <draw:g><draw:custom-shape>{p('y')}</draw:custom-shape></draw:g>z"): "paragraph x z|paragraph y",
    p(f"x {FORMULA} z") + p(FORMULA): "paragraph x a/b z|equation a/b",
    p('x <text:span text:style-name="Hid">y</text:span>z'): "paragraph x z",
    p("y", "Hid") + p("z"): "paragraph z",
    p('x <text:span text:style-name="Wing">\uf0fc</text:span>'): "paragraph x ✓",
    p("x", "P1") + p("y", "Figure"): "title x|caption y",
    p('<text:s text:c="2"/>x', "Preformatted_20_Text") * 2: "code   x\n  x",
    f"<text:table-of-content><text:index-body>{p('x<text:tab/>1')}</text:index-body></text:table-of-content>": "furniture x 1",
    f"<table:table>{row('x') + row('y')}</table:table>": "paragraph x|paragraph y",
    p("x<text:ruby><text:ruby-base>y</text:ruby-base><text:ruby-text>z</text:ruby-text></text:ruby>"): "paragraph xy (y: z)",
    p("x <text:placeholder>y</text:placeholder>z"): "paragraph x z",
}


@pytest.mark.parametrize(("body", "shown"), SHOWN.items())
def test_text_is_read_as_in_word(body: str, shown: str) -> None:
    assert [f"{block.kind} {block.text}" for block in blocks(body)] == shown.split("|")


def test_headers_and_footers_are_furniture() -> None:
    masters = f"<style:header>{p('Mills')}</style:header><style:footer>{p('page 1')}</style:footer>"
    shown = [(block.kind, block.text) for block in blocks(p("x"), masters)]
    assert shown == [("furniture", "Mills"), ("paragraph", "x"), ("furniture", "page 1")]


def test_charts_are_text_in_all_formats() -> None:
    shown = "Rain\nmm: May 40, June 35\ndays: May 9, June 7"
    sheet = f"<table:table>{row('x')}<table:shapes>{CHART}</table:shapes></table:table>"
    data = office_drawn.changed(files_drawn.open_document("spreadsheet", sheet), lambda parts: parts.update(EMBEDDED))
    assert [block.text for block in blocks(p(CHART))] == [shown]
    assert [block.text for block in parse_ods(data).stream] == ["x", shown]


def test_slides_have_titles_below_that_of_the_first_one_and_notes_that_say_so() -> None:
    def frame(kind: str, text: str) -> str:
        return f'<draw:frame presentation:class="{kind}"><draw:text-box>{p(text)}</draw:text-box></draw:frame>'

    first = frame("title", "Mills") + frame("subtitle", "by Ada") + frame("page-number", "1")
    notes = f"<presentation:notes>{frame('page-number', '2') + frame('notes', 'Slowly.')}</presentation:notes>"
    slides = f"<draw:page>{first}</draw:page><draw:page>{frame('title', 'Weirs')}{notes}</draw:page>"
    found = parse_odp(files_drawn.open_document("presentation", slides)).blocks
    assert [(block.kind, block.level, block.text) for block in found] == [
        ("title", 1, "Mills"), ("paragraph", None, "by Ada"), ("furniture", None, "1"), ("heading", 2, "Weirs"),
        ("paragraph", None, "Notes: Slowly."),
    ]  # fmt: skip


def test_shapes_of_a_slide_are_in_reading_order() -> None:
    def shape(text: str, top: int) -> str:
        return (
            f'<draw:custom-shape {SVG} svg:x="1cm" svg:y="{top}cm" svg:width="4cm" svg:height="1cm">{p(text)}</draw:custom-shape>'
        )

    title = f'<draw:frame presentation:class="title"><draw:text-box>{p("Mills")}</draw:text-box></draw:frame>'
    slide = f"<draw:page>{shape('last', 9)}<draw:g>{shape('second', 5)}</draw:g>{shape('first', 2)}{title}</draw:page>"
    found = parse_odp(files_drawn.open_document("presentation", slide)).blocks
    assert [block.text for block in found] == ["Mills", "first", "second", "last"]
