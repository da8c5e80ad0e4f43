import re
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.records import BBox, Element
from tasks.file_tools.rendering import render_as_markdown
from tasks.parse.elements.assembly import assemble
from tasks.parse.elements.continued import PositionedElement, continued, wholes
from tasks.parse.elements.from_regions import element
from tasks.parse.layout.geometry import as_struct
from tasks.parse.tables.cells import Cell, as_html, as_pipes
from tasks.parse.tables.continued import names_the_same, says_continued

HEIGHT = 800.0
HEIGHTS = dict.fromkeys(range(1, 10), HEIGHT)
LOW, HIGH = (60.0, 500.0, 400.0, 700.0), (60.0, 80.0, 400.0, 300.0)
WORDS = st.text("abcXYZ12. ", min_size=1, max_size=8).map(str.strip)


def at(box: tuple[float, float, float, float]) -> BBox:
    return as_struct(box)


def table(page: int, rows: list[list[str]], box: tuple[float, float, float, float]) -> Element:
    cells = [Cell(r, c, text) for r, row in enumerate(rows) for c, text in enumerate(row)]
    return element(page, "table", as_pipes(cells), html=as_html(cells), bbox=at(box))


def text(page: int, words: str, box: tuple[float, float, float, float] = LOW, kind: str = "paragraph") -> Element:
    return element(page, kind, words, bbox=at(box))


def pieces_of(sized: Iterable[tuple[Element, float]]) -> list[PositionedElement]:
    return [PositionedElement(n, found, size) for n, (found, size) in enumerate(sized)]


def joined(*elements: Element) -> list[Element]:
    return [piece.element for piece in continued(pieces_of([(e, 10.0) for e in elements]), HEIGHTS)]


@st.composite
def grids(draw: st.DrawFn, n_columns: int | None = None) -> list[list[str]]:
    n = n_columns or draw(st.integers(1, 4))
    return draw(st.lists(st.lists(WORDS, min_size=n, max_size=n), min_size=1, max_size=5))


@st.composite
def documents(draw: st.DrawFn) -> list[Element]:
    kinds = st.sampled_from(["table", "paragraph", "paragraph", "footnote", "furniture", "figure", "caption", "heading"])
    found: list[Element] = []
    for page in range(1, draw(st.integers(2, 4))):
        for kind in draw(st.lists(kinds, max_size=4)):
            box = draw(st.sampled_from([LOW, HIGH]))
            words = draw(st.sampled_from(["one of the many half-", "it ends here.", "goes on and", "Table 1 (continued)", "a"]))
            found.append(table(page, draw(grids()), box) if kind == "table" else text(page, words, box, kind))
    return found


def cells_of(elements: list[Element]) -> list[str]:
    return [cell for e in elements if e["kind"] == "table" for cell in re.findall(r"<td>(.*?)</td>", e["html"] or "") if cell]


@given(documents())
def test_every_element_is_kept_with_its_page_and_box(elements: list[Element]) -> None:
    found = continued(pieces_of([(e, 10.0) for e in elements]), HEIGHTS)
    assert sorted(piece.number for piece in found) == list(range(len(elements)))
    assert all(piece.element[name] == elements[piece.number][name] for piece in found for name in ("page_number", "bbox"))


@given(documents())
def test_every_part_has_its_offsets_in_the_text_without_a_gap(elements: list[Element]) -> None:
    assembled = assemble(joined(*elements))
    before = None
    for e in assembled.elements:
        if e["start_char"] is None:
            continue
        assert assembled.text[e["start_char"] : e["end_char"]] == e["text"]
        if e["joined_by"] is not None:
            assert before is not None and assembled.text[before : e["start_char"]] == e["joined_by"]
        before = e["end_char"]


@given(st.data())
def test_no_cell_of_a_joined_table_is_lost_but_its_header(data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 4))
    header = [f"Head {c}" for c in range(n)]
    first, second = data.draw(grids(n)), data.draw(grids(n))
    apart = [table(1, [header, *first], LOW), table(2, [header, *second], HIGH)]
    whole = wholes(joined(*apart))
    assert len(whole) == 1
    assert whole[0]["text"] == apart[0]["text"] + "\n" + "\n".join(apart[1]["text"].split("\n")[2:])
    assert cells_of(whole) == [cell for row in [header, *first, *second] for cell in row if cell]
    assert render_as_markdown(joined(*apart), furniture=False).strip("\n") == whole[0]["text"]


@given(grids(), grids())
def test_tables_of_different_column_counts_are_never_joined(one: list[list[str]], other: list[list[str]]) -> None:
    found = joined(table(1, one, LOW), table(2, other, HIGH))
    assert len(one[0]) == len(other[0]) or found[1]["joined_by"] is None


@given(grids(), grids())
def test_all_cells_of_two_pages_are_in_the_text(one: list[list[str]], other: list[list[str]]) -> None:
    found = joined(table(1, one, LOW), table(2, other, HIGH))
    lines = "\n".join(e["text"] for e in found).split("\n")
    again = names_the_same(f"| {' | '.join(one[0])} |", f"| {' | '.join(other[0])} |")  # a head that differs in signs is the same
    dropped = int(found[1]["joined_by"] is not None and again)
    assert [line for line in lines if "---" not in line] == [f"| {' | '.join(row)} |" for row in [*one, *other[dropped:]]]


HEAD, BODY, MORE = ["Region", "Sales", "Costs"], ["North", "120", "7.5"], ["South", "90", "-"]


def test_a_table_without_a_header_continues_one_if_it_begins_like_the_body() -> None:
    first = table(1, [HEAD, BODY], LOW)
    assert joined(first, table(2, [MORE, MORE], HIGH))[1]["text"] == "| South | 90 | - |\n| South | 90 | - |"
    assert joined(first, table(2, [["Region", "Staff", "Rooms"], MORE], HIGH))[1]["joined_by"] is None
    assert joined(first, table(2, [["Region", "2022", "2023"], MORE], HIGH))[1]["joined_by"] is None


@pytest.mark.parametrize("left, is_one", [(60.0, True), (90.0, False)])
def test_a_part_whose_texts_are_shorter_begins_at_the_same_left_edge_on_the_next_page(left: float, is_one: bool) -> None:
    found = joined(table(1, [HEAD, BODY], LOW), table(2, [MORE, MORE], (left, 80.0, left + 240, 300.0)))
    assert (found[1]["joined_by"] is not None) == is_one


@pytest.mark.parametrize("left, is_one", [(430.0, True), (60.0, False)])
def test_a_table_continues_in_the_next_column_of_its_page(left: float, is_one: bool) -> None:
    rows = [["Name", "Count"], ["a", "1"]]
    found = joined(table(1, rows, LOW), table(1, [["b", "2"], ["c", "3"]], (left, 80.0, left + 340, 300.0)))
    assert (found[1]["joined_by"] is not None) == is_one


@pytest.mark.parametrize("top, is_one", [(80.0, True), (150.0, False)])
def test_a_table_continues_in_the_next_column_wherever_that_of_its_beginning_ends(top: float, is_one: bool) -> None:
    first = table(1, [["Name", "Count"], ["a", "1"]], (60.0, 150.0, 400.0, 200.0))
    found = joined(first, table(1, [["b", "2"], ["c", "3"]], (430.0, top, 770.0, top + 40)))
    assert (found[1]["joined_by"] is not None) == is_one


def test_a_table_that_does_not_fill_its_page_ends_there() -> None:
    assert joined(table(1, [HEAD, BODY], HIGH), table(2, [HEAD, MORE], HIGH))[1]["joined_by"] is None
    assert joined(table(1, [HEAD, BODY], LOW), table(2, [HEAD, MORE], LOW))[1]["joined_by"] is None
    assert joined(table(1, [HEAD, BODY], LOW), table(3, [HEAD, MORE], HIGH))[1]["joined_by"] is None


def test_furniture_notes_and_a_continued_caption_may_come_between() -> None:
    caption, again = text(1, "Table 2. Sales", HIGH, "caption"), text(2, "Table 2. Sales, continued", HIGH, "caption")
    between = [text(1, "* estimated", kind="footnote"), text(1, "7", kind="furniture"), again]
    found = joined(caption, table(1, [HEAD, BODY], LOW), *between, table(2, [HEAD, MORE], HIGH))
    assert [(e["kind"], e["joined_by"]) for e in found] == [
        ("caption", None),
        ("table", None),
        ("table", "\n"),
        ("footnote", None),
        ("furniture", None),
        ("furniture", None),
    ]


@pytest.mark.parametrize("between", ["Table 3. Staff", "Sales continued to rise.", "The next table shows costs."])
def test_other_text_between_keeps_tables_apart(between: str) -> None:
    found = joined(table(1, [HEAD, BODY], LOW), text(2, between, HIGH), table(2, [HEAD, MORE], HIGH))
    assert [e["joined_by"] for e in found] == [None, None, None]


def test_a_table_over_three_pages_is_one() -> None:
    full = (60.0, 80.0, 400.0, 700.0)
    parts = [table(1, [HEAD, BODY], LOW), table(2, [HEAD, MORE], full), table(3, [HEAD, BODY], HIGH)]
    (whole,) = wholes(joined(*parts))
    assert [line.split()[1] for line in whole["text"].split("\n")] == ["Region", "---", "North", "South", "North"]


def test_a_header_of_two_rows_repeats_as_a_whole() -> None:
    head = [Cell(0, 0, "Region", rows=2), Cell(0, 1, "Year", columns=2), Cell(1, 1, "2022"), Cell(1, 2, "2023")]
    parts = [
        element(page, "table", as_pipes(cells), html=as_html(cells), bbox=at(box))
        for page, box, name in ((1, LOW, "North"), (2, HIGH, "South"))
        for cells in [[*head, Cell(2, 0, name), Cell(2, 1, "1"), Cell(2, 2, "2")]]
    ]
    shown = render_as_markdown(joined(*parts), furniture=False)
    assert shown.count("Region") == shown.count("2023") == 1
    assert shown.endswith("<tr><td>North</td><td>1</td><td>2</td></tr><tr><td>South</td><td>1</td><td>2</td></tr></table>\n")


def test_a_paragraph_continues_in_the_next_column_and_page_without_its_hyphen() -> None:
    right = (420.0, 80.0, 760.0, 300.0)
    found = joined(
        text(1, "It was cut in the mid-"),
        text(1, "dle of a word and then at", right),
        text(1, "1 A note.", kind="footnote"),
        text(1, "7", kind="furniture"),
        text(2, "a page's end.", HIGH),
        text(2, "Another one.", LOW),
    )
    assert [e["kind"] for e in found] == ["paragraph"] * 3 + ["footnote", "furniture", "paragraph"]
    assert assemble(found).text == "It was cut in the middle of a word and then at a page's end.\n\n1 A note.\n\nAnother one."
    assert render_as_markdown(found, furniture=False).startswith(
        "It was cut in the middle of a word and then at a page's end.\n\n"
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("The sentence ends here.", "and another begins"),
        ("The list has three parts:", "the first"),
        ("A sentence that may go on", "Begins anew"),
        ("Name of", "applicant"),
        ("A sentence that may go on", "2 or not"),
    ],
)
def test_paragraphs_that_do_not_continue_stay_separate(before: str, after: str) -> None:
    assert joined(text(1, before), text(2, after, HIGH))[1]["joined_by"] is None


CHINESE = "本章说明如何安装系统并设置用户账号"


@pytest.mark.parametrize(
    ("before", "after", "is_one"),
    [
        (CHINESE, "以及网络连接。", True),
        (CHINESE, "apt 的设置。", True),
        (CHINESE + "。", "以及网络连接。", False),
        (CHINESE + "\uff1a", "以及网络连接。", False),
        ("설치한 뒤 설정할 수", "있는 것은 다음과 같다.", True),
    ],
)
def test_paragraphs_in_letters_without_case_continue_on_the_next_page(before: str, after: str, is_one: bool) -> None:
    assert (joined(text(1, before), text(2, after, HIGH))[1]["joined_by"] is not None) == is_one


@pytest.mark.parametrize("box", [(60.0, 690.0, 400.0, 700.0), (60.0, 500.0, 300.0, 700.0), (90.0, 500.0, 400.0, 700.0)])
def test_letters_without_case_continue_no_single_line_nor_one_of_other_width(box: tuple[float, float, float, float]) -> None:
    assert joined(text(1, CHINESE, box), text(2, "以及网络连接。", HIGH))[1]["joined_by"] is None


def test_paragraphs_below_each_other_or_in_other_type_stay_apart() -> None:
    one, below = text(1, "A line of four words", HIGH), text(1, "and one below it", LOW)
    assert joined(one, below)[1]["joined_by"] is None
    sized = [(text(1, "A line of four words"), 10.0), (text(2, "set in smaller type", HIGH), 8.0)]
    assert continued(pieces_of(sized), HEIGHTS)[1].element["joined_by"] is None


def test_text_flows_around_a_figure_at_a_pages_end_but_keeps_its_order_on_one_page() -> None:
    right = (420.0, 400.0, 760.0, 600.0)
    before, figure = text(1, "A sentence that may go"), text(1, "a chart", kind="figure")
    assert [e["kind"] for e in joined(before, figure, text(2, "on elsewhere.", HIGH))] == ["paragraph", "paragraph", "figure"]
    assert [e["kind"] for e in joined(before, figure, text(1, "on elsewhere.", right))] == ["paragraph", "figure", "paragraph"]


def test_a_notice_says_only_that_a_table_is_continued() -> None:
    assert all(
        map(
            says_continued,
            ["(continued)", "Table 4 - continued from previous page", "Table 1 (cont'd)", "Continued on next page"],
        )
    )
    assert not any(map(says_continued, ["Table 4", "Growth continued in the north", "Context", "Table 4. Continuous casting"]))
