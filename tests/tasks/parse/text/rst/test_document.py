from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from schemas.errors import DocumentError
from tasks.parse.text.rst.document import parse_rst
from tests.tasks import golden
from tests.tasks.parse.text.rst.manual import MANUAL

HEAD = "<table><thead><tr>"

LINES = [
    "Title", "=====", "-----", "~~~", "- a", "  - b", "#. c", "a. d", "(1) e", ":f: g", ".. note:: h", ".. note::", "..", ".. i",
    "   :j: k", "   l", "::", "m::", "    n", "> o", ">>> p", "| q", "+--+--+", "| r| s|", "+==+==+", "+--+  +", "== ==", "t  u",
    "-----", "  v", ".. csv-table::", ".. list-table::", "   * - w", "     - x", '   "y, z', ".. figure:: a", ".. [1] b",
    ".. _c:", ".. |d| image:: e", "\U0001f600 水", "水水", "\tf", ".. include:: /etc/passwd", "__ g", "\\", 
    "   :header: h, i", "   :delim: space",
]  # fmt: skip
PIECES = st.one_of(st.sampled_from(["", " "]), st.sampled_from(LINES))
ENDS = st.sampled_from(["\n", "\n", "\r\n", "\r", "\n\n"])


@st.composite
def texts(draw: st.DrawFn) -> str:
    lines = draw(st.lists(st.tuples(PIECES, ENDS), max_size=25))
    return "".join(line + end for line, end in lines) + draw(st.sampled_from(["", "end", "é\u2028x", "=="]))


def assert_covers(row: Mapping[str, Any], text: str) -> None:
    assert row["text"] == text
    elements = row["elements"]
    spans = [(e["start_char"], e["end_char"]) for e in elements]
    assert all(text[start:end] == e["text"] for (start, end), e in zip(spans, elements, strict=True))
    assert all(start < end for start, end in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    outside = list(text)
    for start, end in spans:
        outside[start:end] = " " * (end - start)
    assert not "".join(outside).strip()


def kinds(text: str) -> list[tuple[str, int | None, str]]:
    return [(e["kind"], e["level"], e["text"]) for e in parse_rst(text.encode())["elements"]]


def html(text: str) -> str:
    (table,) = parse_rst(text.encode())["elements"]
    return str(table["html"])


@given(texts())
@example("+--+\n| a|\n+--+")
@example("a::\n\n    b\n  c\n")
@example(".. figure:: a\n\n   b\n")
def test_elements_cover_the_decoded_text_exactly(text: str) -> None:
    if text.strip():
        assert_covers(parse_rst(text.encode()), text)


@given(st.text(alphabet=st.characters(blacklist_categories=["Cs"], blacklist_characters="\0\ufeff")))
def test_any_text_is_covered_exactly(text: str) -> None:
    if text.strip():
        assert_covers(parse_rst(text.encode()), text)


@given(st.binary())
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        row = parse_rst(data)
    except DocumentError as error:
        assert error.__notes__
    else:
        assert row["elements"]


def test_a_manual_reads_as_its_golden_file() -> None:
    row = parse_rst(MANUAL.encode())
    assert_covers(row, MANUAL)
    golden.check(row, "manual_rst")


def test_the_field_list_at_the_top_says_title_author_and_date() -> None:
    properties = parse_rst(MANUAL.encode())["properties"]
    assert [properties[name] for name in ("title", "author", "created")] == ["The Mill", "Ada Byron", "2024-05-01"]
    assert properties["extra"] == '{"Team": "paper"}'


def test_a_field_list_after_the_first_paragraph_is_content() -> None:
    row = parse_rst(b"Text.\n\n:author: Ada\n")
    assert [element["kind"] for element in row["elements"]] == ["paragraph", "paragraph"]
    assert row["properties"]["author"] is None


def test_levels_follow_the_order_in_which_adornments_appear() -> None:
    found = kinds("==\nA\n==\n\nB\n==\n\nC\n--\n\nD\n==\n\n--\nE\n--\n")
    assert [(level, text.splitlines()[-2]) for _, level, text in found] == [(1, "A"), (2, "B"), (3, "C"), (2, "D"), (4, "E")]


def test_a_numbered_line_above_a_row_is_a_heading_and_no_item() -> None:
    assert kinds("1. Wheels\n---------\n\n1. wheel\n") == [("heading", 1, "1. Wheels\n---------"), ("list_item", 1, "1. wheel")]


def test_a_listing_ends_where_the_indentation_does() -> None:
    found = kinds("- a::\n\n      b\n\n       c\n\n  d\n\nQuoted::\n\n> e\n> f\n\n::\n\n  g\n")
    assert [(kind, text) for kind, _, text in found] == [
        ("list_item", "- a::"),
        ("code", "b\n\n       c"),
        ("paragraph", "d"),
        ("paragraph", "Quoted::"),
        ("code", "> e\n> f"),
        ("code", "::\n\n  g"),
    ]


def test_a_list_inside_a_field_or_a_definition_is_a_list() -> None:
    found = kinds("Text.\n\n:parts:\n  - a\n  - b\n\nterm\n  - c\n")
    assert [text for kind, _, text in found if kind == "list_item"] == ["- a", "- b", "- c"]


def test_cells_of_a_grid_span_rows_and_columns_and_wide_letters_count_two() -> None:
    text = "+------+----+\n| 水車 | b  |\n+------+ c  |\n| a + b|    |\n+------+----+\n| d         |\n+-----------+\n"
    assert html(text) == (
        '<table><thead><tr><td>水車</td><td rowspan="2">b c</td></tr><tr><td>a + b</td></tr></thead>'
        '<tr><td colspan="2">d</td></tr></table>'
    )


def test_rows_of_a_simple_table_go_on_while_their_first_cell_is_blank() -> None:
    text = "==  ===\na   b\n    c\n\\   d\n==  ===\n"
    assert html(text) == "<table><thead><tr><td>a</td><td>b c</td></tr></thead><tr><td></td><td>d</td></tr></table>"


@pytest.mark.parametrize("text", ["+--+\n| a\n+--+\n", "+--+--+\n| a|  |\n", "== ==\na  b\n", "Title\n:: ::\n"])
def test_a_broken_table_is_text(text: str) -> None:
    assert {kind for kind, _, _ in kinds(text)} <= {"paragraph"}


@pytest.mark.parametrize(
    "text",
    [
        ".. include:: /etc/passwd",
        ".. literalinclude:: /etc/passwd",
        ".. raw:: html\n   :file: /etc/passwd",
        ".. raw:: html\n\n   <script>x</script>",
        ".. csv-table:: A\n   :file: /etc/passwd",
        ".. csv-table:: A\n   :url: http://mill.example/",
        ".. role:: raw-html(raw)\n   :format: html",
    ],
)
def test_nothing_is_included_or_run(text: str) -> None:
    row = parse_rst(f"Text.\n\n{text}\n".encode())
    assert [element["kind"] for element in row["elements"]] == ["paragraph", "furniture"]
    assert "root:" not in str(row)


@pytest.mark.parametrize("marker", [".. note::", ".. NOTE ::", ".. class:: small", ".. mystery:: of Sphinx", ".. only:: html"])
def test_the_content_of_a_directive_is_read_as_what_it_is(marker: str) -> None:
    found = kinds(f"{marker}\n\n   Mind this::\n\n       code\n\n   - item\n")
    assert [(kind, text) for kind, _, text in found[1:]] == [
        ("paragraph", "Mind this::"),
        ("code", "code"),
        ("list_item", "- item"),
    ]


def test_deep_nesting_and_long_rows_of_marks_are_read() -> None:
    for text in ("\n\n".join(" " * n + "- a" for n in range(800)), "*a `b |c_ " * 20_000, ".. note::\n\n" * 5_000):
        assert_covers(parse_rst(text.encode()), text)


def test_text_in_windows_1252_is_read_and_reported() -> None:
    row = parse_rst("Größe und Maß der Mühle\n=======================\n".encode("cp1252"))
    assert row["elements"][0]["kind"] == "heading"
    assert "windows-1252" in row["rejects"][0]["message"]


def test_what_a_substitution_stands_for_is_text() -> None:
    assert [kind for kind, *_ in kinds(".. |p| replace:: Port of Oslo\n\n.. |i| image:: a.png\n")] == ["paragraph", "furniture"]
