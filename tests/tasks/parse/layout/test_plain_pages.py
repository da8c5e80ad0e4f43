from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.layout.plain_pages import PlainPage, plain_regions
from tasks.parse.layout.regions import Region
from tests.tasks.parse.layout.typed_pages import PAGE, PROSE, Typed, prose, shown, words_of


def plain(lines: list[Typed]) -> PlainPage:
    found = plain_regions(words_of(lines), [], PAGE)
    assert found is not None
    return found


def text(region: Region) -> str:
    return " ".join(word.text for word in region.words)


@st.composite
def pages(draw: st.DrawFn) -> list[Typed]:
    y, lines = 129.0, prose(4, 90)
    for _ in range(draw(st.integers(1, 20))):
        y += draw(st.sampled_from([13, 13, 13, 20, 40]))
        kind = draw(st.sampled_from(["prose", "prose", "item", "code", "head"]))
        x = 60 + draw(st.sampled_from([0, 0, 15, 30]))
        made = {
            "prose": Typed(PROSE, y, x),
            "item": Typed(f"\u2022 {PROSE[:40]}", y, x),
            "code": Typed("print(wheel)", y, x, mono=True),
            "head": Typed("The wheel", y, x, bold=True),
        }
        lines.append(made[kind])
    return lines


@given(pages())
def test_every_word_of_a_plain_page_is_in_one_region_in_order(lines: list[Typed]) -> None:
    words = words_of(lines)
    found = plain_regions(words, [], PAGE)
    assert found is not None
    assert [word for part in found for region in part for word in region.words] == words


def test_gaps_part_paragraphs_and_type_makes_headings() -> None:
    body = [Typed("2 The wheel", 100, size=14), *prose(3, 130), *prose(3, 180), Typed("Spring", 240, bold=True), *prose(2, 260)]
    found = plain(body)
    assert shown(found.body) == ["heading", "paragraph", "paragraph", "heading", "paragraph"]
    assert not found.top and not found.bottom


def test_an_indented_first_line_begins_a_paragraph() -> None:
    lines = [*prose(3, 100), Typed(PROSE[:70], 139, 75), *prose(2, 152)]
    assert [len(region.words) for region in plain(lines).body] == [51, 49]


def test_a_sentence_that_ends_before_the_line_is_full_ends_its_paragraph() -> None:
    lines = [*prose(3, 100), Typed("and so it ends.", 139), *prose(3, 152)]
    assert [text(region)[-5:] for region in plain(lines).body] == ["ends.", "cold,"]


def test_items_begin_at_their_labels_and_take_in_indented_lines() -> None:
    lines = [*prose(2, 100), Typed("1. " + PROSE[:30], 140), Typed(PROSE[:30], 153, 75), Typed("2. " + PROSE[:30], 166)]
    found = plain([*lines, *prose(2, 200)]).body
    assert shown(found) == ["paragraph", "list_item", "list_item", "paragraph"]
    assert text(found[1]).count("the wheel") == 2


def test_lines_in_fixed_width_type_are_a_listing_of_their_own() -> None:
    code = [Typed("wheel = 3 # turns", 130, 80, mono=True), Typed("if \t\t wheel:", 155, 80, mono=True)]
    found = plain([*prose(2, 100), *code, *prose(2, 180)]).body
    assert [region.words[0].mono for region in found] == [False, True, False]


def test_small_type_after_a_mark_is_a_footnote() -> None:
    notes = [Typed("1 See the mill.", 710, size=8), Typed("2 See the pond.", 720, size=8)]
    found = plain([*prose(4, 100), *notes])
    assert [shown(part) for part in found] == [[], ["paragraph"], ["footnote", "footnote"]]


def test_text_set_apart_at_the_edges_is_separated_from_the_body() -> None:
    lines = [Typed("The Mill \t12", 40), *prose(4, 100), Typed("- 12 -", 770)]
    found = plain(lines)
    assert [shown(part) for part in found] == [["paragraph", "furniture"], ["paragraph"], ["furniture"]]


def test_entries_with_leaders_are_items() -> None:
    entries = [Typed(f"{n} The wheel . . . . . . . . . . . . {n}", 140 + 13 * n) for n in range(4)]
    assert shown(plain([*prose(3, 90), *entries]).body) == ["paragraph", *["list_item"] * 4]


def test_two_columns_of_prose_are_read_one_after_the_other() -> None:
    half = PROSE[:40]
    left = [Typed(half, 100 + 13 * n, 60) for n in range(12)]
    right = [Typed(half.upper(), 100 + 13 * n, 320) for n in range(12)]
    found = plain(
        [Typed("A title over both columns", 60, size=16), *[line for pair in zip(left, right, strict=True) for line in pair]]
    )
    read = " ".join(text(region) for region in found.body)
    assert read.startswith("A title")
    assert read.index("THE WHEEL") > read.rindex("the wheel")


def refused(lines: list[Typed], drawn: list[tuple[float, float, float, float]] | None = None) -> bool:
    return plain_regions(words_of(lines), drawn or [], PAGE) is None


def test_terms_with_their_meanings_beside_them_may_be_a_table() -> None:
    def entry(y: float, term: str) -> list[Typed]:
        return [Typed(term, y, mono=True), Typed(PROSE[:50], y, 120)]

    assert refused([*prose(4, 100), *entry(170, "-a"), *entry(190, "--all")])
    assert not refused([*prose(4, 100), *entry(170, "-a"), *prose(4, 190)])


def test_a_head_and_one_row_may_be_a_table() -> None:
    def row(y: float, name: str, x: float) -> list[Typed]:
        return [Typed(name, y), Typed("what turns", y, x)]

    assert refused([*prose(4, 100), *row(170, "wheel of oak", 128), *row(184, "water mill", 128), *prose(4, 210)])
    assert not refused([*prose(4, 100), *row(170, "wheel of oak", 128), *row(184, "water mill", 131), *prose(4, 210)])
    items = [line for n in range(3) for line in (Typed(f"{n}.", 170 + 13 * n), Typed(PROSE[:40], 170 + 13 * n, 80))]
    assert not refused([*prose(4, 100), *items])


def test_between_rules_code_below_a_head_may_be_a_table() -> None:
    head = [Typed("Family", 200), Typed("Links", 200, 130)]
    code = [Typed(text, y, x, mono=True) for y in (213, 226) for x, text in ((60, "gauss"), (130, "log"))]
    rules = [(60.0, 192.0, 500.0, 192.5), (60.0, 240.0, 500.0, 240.5)]
    assert refused([*prose(5, 100), *head, *code, *prose(3, 260)], rules)
    assert not refused([*prose(5, 100), *code, *prose(3, 260)], rules)


def test_a_model_looks_at_all_other_pages() -> None:
    page = prose(10, 100)
    cells = [Typed("a \tb", 300 + 20 * n) for n in range(3)]
    assert refused([*page, *cells])
    assert refused([*page, Typed("x = y", 300, 200, math=True)])
    assert refused(page, [(50, 50, 500, 300)])
    assert refused(page, [(50, y, 500, y + 1) for y in range(100, 700, 100)])
    assert refused([Typed("Few words", 100)])
    assert not refused(page, [PAGE, (60, 650, 200, 651)])


def test_a_page_whose_rules_enclose_gaps_at_one_place_is_not_plain() -> None:
    rows = [Typed(text, y, x) for y in (200, 226) for x, text in ((60, "wheel"), (95, "what turns"))]
    words = words_of([*prose(5, 100), *rows, Typed("of water and of wind", 213, 95), *prose(3, 260)])
    rules = [(60.0, 192.0, 500.0, 192.5), (60.0, 240.0, 500.0, 240.5)]
    assert plain_regions(words, rules[:1], PAGE) is not None
    assert plain_regions(words, rules, PAGE) is None
