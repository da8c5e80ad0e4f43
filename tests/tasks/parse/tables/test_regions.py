from tasks.parse.layout.geometry import union
from tasks.parse.layout.regions import Region
from tasks.parse.layout.rules import NO_RULES, Rule, Rules
from tests.tasks.parse.layout.pages import a_row, a_sentence, arrange, both, lattice, whole, with_tables

XS = [-5.0, 95.0, 195.0]
UPPER = [*a_row(0, "Name", "Count"), *a_row(20, "a", "1")]
LOWER = [*a_row(50, "Name", "Count"), *a_row(70, "b", "2")]


def tables(regions: list[Region]) -> list[Region]:
    return sorted((region for region in regions if region.kind == "table"), key=lambda region: region.box[1])


def test_a_region_of_two_ruled_tables_is_cut() -> None:
    rules = both(lattice([-5, 15, 35], XS), lattice([45, 65, 85], XS))
    found = tables(with_tables([*UPPER, *LOWER], [Region(whole(200, 90), "table")], rules))
    assert [region.box for region in found] == [(-5, -5, 195, 35), (-5, 45, 195, 85)]
    assert all(region.rules == rules for region in found)


def test_a_table_grows_to_the_frame_that_it_is_most_of() -> None:
    found = with_tables(UPPER, [Region((0, 0, 150, 32), "table")], lattice([-5, 15, 35], XS))
    assert found[0].box == (-5, -5, 195, 35)


def test_a_frame_full_of_text_is_a_table_and_an_empty_one_is_not() -> None:
    rules = lattice([-5, 15, 35], XS)
    assert len(tables(with_tables(UPPER, [Region(whole(200, 40), "figure")], rules))) == 1
    assert tables(with_tables(UPPER[:1], [Region(whole(200, 40), "figure")], rules)) == []


def test_a_region_is_cut_at_a_paragraph() -> None:
    text = "which goes on from the left to far beyond the start of the second column"
    prose = [word for n in range(2) for word in a_sentence(text, 0, 45 + 12 * n)]
    lower = [*a_row(80, "Name", "", "", "Count"), *a_row(100, "b", "", "", "2")]
    words = [*a_row(0, "Name", "", "", "Count"), *a_row(20, "a", "", "", "1"), *prose, *lower]
    found = tables(with_tables(words, [Region(whole(400, 120), "table", spaced=True)], NO_RULES))
    assert [region.box[1::2] for region in found] == [(0, 30), (80, 110)]
    assert all(region.spaced for region in found)


def test_a_frame_full_of_text_outranks_the_pieces_that_the_model_sees_in_it() -> None:
    rules = lattice([-5, 15, 35, 55, 75], XS)
    words = [word for n in range(4) for word in a_row(20 * n, "name", str(n))]
    pieces = [Region((0, 0, 190, 30), "table"), Region((0, 40, 150, 55), "paragraph"), Region((0, 60, 260, 72), "list_item")]
    found = with_tables(words, pieces, rules)
    assert [(region.kind, region.box) for region in found] == [("list_item", pieces[2].box), ("table", (-5, -5, 195, 75))]


def test_words_of_a_framed_table_are_its_own_even_where_a_smaller_region_overlaps_it() -> None:
    rules = lattice([-5, 15, 35], XS)
    regions = with_tables(UPPER, [Region((60, 14, 230, 34), "paragraph")], rules)
    found = arrange(UPPER, regions, whole(400, 300))
    assert [(region.kind, len(region.words)) for region in found] == [("table", 4)]


def test_what_a_program_printed_is_no_table_unless_rules_or_other_words_show_one() -> None:
    box = whole(200, 40)
    printed = [word._replace(mono=True) for word in UPPER]
    text = [word for n in range(3) for word in a_sentence("which goes on below what the program wrote", 0, 60 + 12 * n)]
    frame = (Rule(-4, 0, 200), Rule(36, 0, 200))
    kinds = {
        "listing": with_tables([*printed, *text], [Region(box, "table")], NO_RULES),
        "framed": with_tables([*printed, *text], [Region(box, "table")], Rules(frame)),
        "ruled": with_tables([*printed, *text], [Region(box, "table")], Rules((*frame, Rule(15, 0, 200)))),
        "mixed": with_tables([*UPPER[:2], *printed[2:], *text], [Region(box, "table")], NO_RULES),
        "typewritten": with_tables(printed, [Region(box, "table")], NO_RULES, typewritten=True),
    }
    assert {name: len(tables(found)) for name, found in kinds.items()} == {
        "listing": 0,
        "framed": 0,
        "ruled": 1,
        "mixed": 1,
        "typewritten": 1,
    }


def test_a_table_that_is_some_rows_of_a_larger_one_becomes_it() -> None:
    rows = [(a_sentence(f"name{n}()", 0, 20 * n), a_sentence("says what it does", 120, 20 * n)) for n in range(6)]
    words = [word for row in rows for words in row for word in words]
    part = Region((0, 38, 230, 72), "table", spaced=True)
    texts = [Region((0, 0, 230, 32), "paragraph"), Region((0, 78, 230, 112), "paragraph")]
    found = with_tables(words, [part, *texts], NO_RULES)
    assert [(region.kind, region.box) for region in found] == [("table", (-1, -1, union(word.box for word in words)[2] + 1, 111))]


def test_a_table_in_two_columns_is_cut_and_headings_above_its_parts_are_none_of_their_rows() -> None:
    heading = [word._replace(size=14.0) for word in a_sentence("Part", 0, 0)]
    left = [word for n in range(5) for word in a_row(22 + 16.0 * n, "name", "1,250")]
    right = [word for n in range(6) for word in a_row(14 + 16.0 * n, "name", "1,250", left=230)]
    words = [*heading, *left, *right]
    seen = [Region(union(word.box for word in words), "table", spaced=True), Region(heading[0].box, "heading")]
    found = tables(with_tables(words, seen, NO_RULES))
    assert sorted(round(region.box[1]) for region in found) == [0, 10]
    assert len(arrange(words, with_tables(words, seen, NO_RULES), whole(400, 200))) == 3
