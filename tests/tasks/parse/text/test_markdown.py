from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from schemas.errors import DocumentError
from tasks.parse.tables.html_cells import grid_of
from tasks.parse.text.markdown import parse_markdown
from tasks.parse.text.plain import decode, parse_text

LINES = [
    "<table>",
    "<tr><td>1",
    "</table>",
    "| 1 | 2 | 3 |",
    "# A",
    "- b",
    "  - c",
    "1. d",
    "> e",
    "```",
    "| f | g |",
    "|---|---|",
    "---",
    "===",
    "[h]: /i",
    "\U0001f600 k",
    "\tl",
]
PIECES = st.sampled_from([*LINES, "", " ", "<p>"])
ENDS = st.sampled_from(["\n", "\r\n", "\r"])


@st.composite
def texts(draw: st.DrawFn) -> str:
    lines = draw(st.lists(st.tuples(PIECES, ENDS), max_size=20))
    return "".join(line + end for line, end in lines) + draw(st.sampled_from(["", "end", "é\u2028x"]))


def assert_covers(row: Mapping[str, Any], text: str) -> None:
    assert row["text"] == text
    elements = row["elements"]
    spans = [(e["start_char"], e["end_char"]) for e in elements]
    assert all(text[start:end] == e["text"] for (start, end), e in zip(spans, elements, strict=True))
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    outside = list(text)
    for start, end in spans:
        outside[start:end] = " " * (end - start)
    assert not "".join(outside).strip()


@given(texts())
@example("---\na: 1\n---\n# B")
@example("- - a\n    b\n\n  c")
@example("# A\r\rb\x0c\r\nc")
def test_markdown_elements_cover_the_decoded_text_exactly(text: str) -> None:
    if text.strip():
        assert_covers(parse_markdown(text.encode()), text)


@given(st.text(alphabet=st.characters(blacklist_categories=["Cs"], blacklist_characters="\0\ufeff")))
def test_paragraphs_cover_a_plain_text_exactly(text: str) -> None:
    if text.strip():
        assert_covers(parse_text(text.encode()), text)


def test_markdown_blocks_have_their_kinds_and_levels() -> None:
    text = "# A\n\nb\n---\n\n- c\n  - d\n\n1. e\n\n| f | g |\n|---|---|\n| 1 | 2 |\n\n```py\nh = 1\n\ni\n```\n\nj\n"
    found = [(e["kind"], e["level"], e["text"]) for e in parse_markdown(text.encode())["elements"]]
    assert found == [
        ("heading", 1, "# A"),
        ("heading", 2, "b\n---"),
        ("list_item", 1, "- c"),
        ("list_item", 2, "- d"),
        ("list_item", 1, "1. e"),
        ("table", None, "| f | g |\n|---|---|\n| 1 | 2 |"),
        ("code", None, "```py\nh = 1\n\ni\n```"),
        ("paragraph", None, "j"),
    ]


def test_a_byte_order_mark_is_not_part_of_the_text() -> None:
    assert decode("\ufeffa".encode()).text == decode("\ufeffa".encode("utf-16-le")).text == "a"


def test_bytes_that_are_not_text_are_refused_with_their_position() -> None:
    for data, place in ((b"caf\xe9", "byte 3"), (b"a\0b", "offset 1"), (b"\xff\xfea", "byte")):
        try:
            decode(data)
        except DocumentError as error:
            assert place in str(error)
            assert error.__notes__
        else:
            raise AssertionError(data)


def test_aliases_in_front_matter_are_not_followed() -> None:
    row = parse_markdown(b"---\na: &x [1]\nb: *x\n---\ntext")
    assert row["properties"]["extra"] == "{}"
    assert "aliases" in row["rejects"][0]["message"]


def test_tables_have_html_and_pictures_alone_are_figures() -> None:
    text = "| f | g |\n|---|---|\n| *1* | 2 |\n\n![Bars](b.png)\n\n<table><tr><th>a<th>b<tr><td>1<td>2</table>\n"
    found = parse_markdown(text.encode())["elements"]
    assert [element["kind"] for element in found] == ["table", "figure", "table"]
    assert found[0]["html"] == "<table><thead><tr><td>f</td><td>g</td></tr></thead><tr><td>1</td><td>2</td></tr></table>"
    assert found[2]["html"] == "<table><thead><tr><td>a</td><td>b</td></tr></thead><tr><td>1</td><td>2</td></tr></table>"


def test_markdown_in_windows_1252_is_read_and_reported() -> None:
    row = parse_markdown("---\na: [\n---\n# Größe und Maß der Mühle".encode("cp1252"))
    assert row["elements"][-1]["text"] == "# Größe und Maß der Mühle"
    (reject,) = row["rejects"]
    assert "windows-1252" in reject["message"]
    assert "1 more" in reject["message"]


HEAD = "| a | b |\n|---|---|\n"
WIDER = {
    HEAD + "| 1 | 2 | 3 |": [["a", "b", ""], ["1", "2", "3"]],
    HEAD + "| 1 | 2 | 3 | |\n| 4 |": [["a", "b", ""], ["1", "2", "3"], ["4", "", ""]],
    "a | b\n--|--\n1 | 2 | **3** | `4`": [["a", "b", "", ""], ["1", "2", "3", "4"]],
    HEAD + "| 1 | 2 \\| 2 | 3<br>x |": [["a", "b", ""], ["1", "2 | 2", "3 x"]],
    "> | a | b |\n> |---|---|\n> | 1 | 2 | 3 |": [["a", "b", ""], ["1", "2", "3"]],
    "- | a | b |\n  |---|---|\n  | 1 | 2 | 3 |": [["a", "b", ""], ["1", "2", "3"]],
    "# x\n\n" + HEAD + "| 1 | 2 | 3 |": [["a", "b", ""], ["1", "2", "3"]],
    "---\nt: 1\n---\n\n" + HEAD + "| 1 | 2 | 3 |": [["a", "b", ""], ["1", "2", "3"]],
    HEAD + "| 1 | 2 |  |": [["a", "b"], ["1", "2"]],
    HEAD + "| 1 |": [["a", "b"], ["1", ""]],
}


@pytest.mark.parametrize(("text", "rows"), WIDER.items())
def test_cells_behind_the_last_column_of_the_header_are_kept(text: str, rows: list[list[str]]) -> None:
    (table,) = (element for element in parse_markdown(text.encode())["elements"] if element["kind"] == "table")
    assert grid_of(table["html"] or "") == rows


ROW = "<tr><td>1</td><td>2</td></tr>"
APART = {
    f"<table>\n{ROW}\n\n{ROW}\n</table>": ["table"],
    f"<table>\n{ROW}\n\n    {ROW}\n\n\n</table>\n\nEnd": ["table", "paragraph"],
    f"<TABLE>\n\n{ROW}\n{ROW}</TABLE>\n# A": ["table", "heading"],
    f"- a\n\n  <table>\n  {ROW}\n\n  {ROW}\n  </table>": ["list_item", "table"],
    f"> <table>\n> {ROW}\n>\n> {ROW}\n> </table>": ["table"],
    f"<table>\n{ROW}\n{ROW}\n</table>": ["table"],
    "<table>\n<tr><td>\n\n```\nx\n```\n\n</td></tr>\n</table>": ["paragraph", "code", "paragraph"],
    "<table>\n<tr><td>\n\n**x**\n\n</td></tr>\n</table>": ["paragraph", "paragraph", "paragraph"],
    f"<table>\n\n{ROW}\n\nnever closed": ["paragraph", "paragraph", "paragraph"],
    f"<table>\n\nopen\n\n<table>\n{ROW}\n\n{ROW}</table>": ["paragraph", "paragraph", "table"],
}


@pytest.mark.parametrize(("text", "kinds"), APART.items())
def test_a_table_in_html_may_have_blank_lines(text: str, kinds: list[str]) -> None:
    row = parse_markdown(text.encode())
    assert_covers(row, text)
    assert [element["kind"] for element in row["elements"]] == kinds
    assert all(len(grid_of(element["html"] or "")) == 2 for element in row["elements"] if element["kind"] == "table")


@pytest.mark.parametrize("start", ["[^a]: A note.", "Draft\n:   Depth of a hull.", "text\n[^b]: x\n[^c]: y"])
def test_what_is_indented_below_a_note_or_definition_goes_on_with_it(start: str) -> None:
    text = f"{start}\n\n    More of it.\n\n    And more.\n\nEnd.\n\n    code\n"
    assert [one["kind"] for one in parse_markdown(text.encode())["elements"]] == ["paragraph", "paragraph", "paragraph", "code"]
