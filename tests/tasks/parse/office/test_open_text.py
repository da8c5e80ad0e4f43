"""What text documents of LibreOffice show and their text does not hold: numbers of items and headings; notes in cells."""

import pytest

from tasks.parse.office.open_text import parse_odt
from tests.tasks import files_drawn, office_drawn

STYLES = (
    '<text:list-style style:name="L">'
    '<text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/>'
    '<text:list-level-style-number text:level="2" style:num-format="a" style:num-prefix="(" style:num-suffix=")"/>'
    '<text:list-level-style-number text:level="3" style:num-format="i" text:display-levels="3"/>'
    '<text:list-level-style-bullet text:level="4"/></text:list-style><text:outline-style>'
    '<text:outline-level-style text:level="1" style:num-format="I" style:num-suffix="."/></text:outline-style>'
)


def texts(body: str) -> list[str]:
    styled = f"<office:automatic-styles>{STYLES}</office:automatic-styles><office:body>".encode()

    def change(parts: dict[str, bytes]) -> None:
        parts["content.xml"] = parts["content.xml"].replace(b"<office:body>", styled)

    blocks = parse_odt(office_drawn.changed(files_drawn.open_document("text", body), change)).blocks
    return [block.text or " ".join(cell.text for cell in block.cells) for block in blocks]


def p(text: str) -> str:
    return f"<text:p>{text}</text:p>"


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
