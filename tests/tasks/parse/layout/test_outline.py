from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.elements.from_regions import element
from tasks.parse.layout.outline import OutlineEntry, outlined

TITLES = st.sampled_from(["1 Sails", "Sails", "2.1 Knots", "KNOTS", "Table 1. Winds", "Anchors", ""])


def found(*rows: tuple[int, str, str], outline: list[OutlineEntry]) -> list[tuple[str, int | None]]:
    pairs = outlined([(element(page, kind, text), 10.0) for page, kind, text in rows], outline)
    return [(element["kind"], element["level"]) for element, _ in pairs]


@given(
    st.lists(st.tuples(st.integers(1, 3), st.sampled_from(["heading", "paragraph", "furniture", "table"]), TITLES), max_size=8),
    st.lists(st.builds(OutlineEntry, st.integers(1, 4), TITLES, st.integers(-1, 4)), max_size=6),
)
def test_each_line_of_the_outline_is_found_once_at_most_and_on_its_page(
    rows: list[tuple[int, str, str]], outline: list[OutlineEntry]
) -> None:
    levels = [(row[0], level) for row, (_, level) in zip(rows, found(*rows, outline=outline), strict=True) if level]
    assert len(levels) <= len(outline)
    assert all((page, level) in {(entry.page_number, entry.level) for entry in outline} for page, level in levels)


def test_a_heading_is_found_by_its_text_without_case_signs_and_number() -> None:
    outline = [OutlineEntry(1, "Sails & ropes", 2), OutlineEntry(2, "1.1 Knots", 3)]
    rows = [(2, "heading", "Chapter 1 SAILS \u2013 ROPES"), (3, "heading", "Knots"), (4, "heading", "Knots")]
    assert found(*rows, outline=outline) == [("heading", 1), ("heading", 2), ("heading", None)]


def test_a_line_of_text_that_the_outline_names_becomes_a_heading() -> None:
    rows = [(1, "paragraph", "Knots"), (1, "paragraph", "Knots hold."), (1, "heading", "Sails")]
    outline = [OutlineEntry(2, "Knots", 1), OutlineEntry(1, "Sails", 1)]
    assert found(*rows, outline=outline) == [("heading", 2), ("paragraph", None), ("heading", 1)]


def test_a_running_header_is_not_a_heading_but_a_line_set_like_one_is() -> None:
    rows = [(1, "furniture", "Sails"), (2, "furniture", "Knots"), (3, "furniture", "Knots")]
    outline = [OutlineEntry(1, "Sails", 1), OutlineEntry(1, "Knots", 2)]
    assert found(*rows, outline=outline) == [("heading", 1), ("furniture", None), ("furniture", None)]


def test_lines_that_name_tables_and_figures_make_no_headings() -> None:
    assert found((1, "caption", "Table 1. Winds"), outline=[OutlineEntry(1, "Table 1. Winds", 1)]) == [("caption", None)]
