from tasks.parse.layout.words import Word
from tasks.parse.tables.contents import entries_of
from tests.tasks.parse.layout.pages import a_row, a_sentence

NAMES = ["Sluices", "Wheels", "Stones", "Grain and flour", "Trade"]


def led(*pages: int) -> list[Word]:
    return [word for n, page in enumerate(pages) for word in a_sentence(f"{NAMES[n]} ........ {page}", 0, 20 * n)]


def bare(*pages: str) -> list[Word]:
    return [word for n, page in enumerate(pages) for word in a_row(20 * n, NAMES[n], page, width=200)]


def test_lines_that_lead_to_pages_are_entries() -> None:
    assert entries_of(led(1, 4, 9)) == ["Sluices ........ 1", "Wheels ........ 4", "Stones ........ 9"]
    assert entries_of(led(1, 4)) is None


def test_texts_with_pages_that_never_fall_are_entries() -> None:
    assert entries_of(bare("1", "4", "4", "17", "120")) == [
        f"{name} {page}" for name, page in zip(NAMES, (1, 4, 4, 17, 120), strict=True)
    ]


def test_other_figures_are_a_table() -> None:
    assert entries_of(bare("1", "4", "3", "17", "120")) is None
    assert entries_of(bare("7", "7", "7", "7", "7")) is None
    assert entries_of(bare("1", "4", "4", "17", "1.2")) is None
    assert entries_of(bare("1", "4", "9")) is None
    assert entries_of([]) is None


def test_names_of_parts_stand_between_entries_without_a_page() -> None:
    words = [*bare("v", "1", "4", "4", "17"), *a_sentence("Part II. Machines", 0, 110), *a_row(130, "Ropes", "21", width=200)]
    assert entries_of(words) == [
        "Sluices v",
        "Wheels 1",
        "Stones 4",
        "Grain and flour 4",
        "Trade 17",
        "Part II. Machines",
        "Ropes 21",
    ]


def test_a_list_with_a_head_over_its_columns_is_a_table() -> None:
    head = a_row(0, "Machine", "Number", width=200)
    assert (
        entries_of(
            [
                *head,
                *(
                    word._replace(box=(word.box[0], word.box[1] + 20, word.box[2], word.box[3] + 20), line=word.line + 50)
                    for word in bare("1", "4", "4", "17", "120")
                ),
            ]
        )
        is None
    )


def test_entries_in_two_columns_are_read_one_after_the_other() -> None:
    left, right = ("1", "4", "4", "17", "20"), ("22", "30", "31", "44", "90")
    words = [word for n in range(5) for word in a_row(20 * n, NAMES[n], left[n], NAMES[n], right[n], width=150)]
    assert entries_of(words) == [f"{name} {page}" for pages in (left, right) for name, page in zip(NAMES, pages, strict=True)]
    figures = [word for n in range(5) for word in a_row(20 * n, NAMES[n], right[-n], NAMES[n], left[-n], width=150)]
    assert entries_of(figures) is None


TERMS = ["anchors, 4, 17", "barges, 12", "cables", "of hemp, 31", "of wire, 33-35", "dikes, 7"]


def an_index(*columns: list[str]) -> list[Word]:
    rows = [(x, n, text) for x, column in enumerate(columns) for n, text in enumerate(column)]
    return [
        word
        for x, n, text in sorted(rows, key=lambda row: row[1])
        for word in a_sentence(text, 200 * x + 10 * text.startswith("of "), 20 * n)
    ]


def test_columns_of_an_index_are_read_one_after_the_other() -> None:
    right = [f"{name}, {n}" for n, name in enumerate(["eels", "farms", "grain", "harbours", "ice"], 40)]
    assert entries_of(an_index(TERMS, right)) == [*TERMS, *right]
    assert entries_of(an_index(TERMS)) == TERMS


def test_terms_out_of_order_and_cells_without_pages_are_no_index() -> None:
    assert entries_of(an_index(["north, 4", "mills, 9", "weirs, 3", "barges, 2", "dikes, 7", "ash, 1"])) is None
    assert entries_of(an_index(TERMS, ["eels", "farms", "grain", "harbours", "ice"])) is None
