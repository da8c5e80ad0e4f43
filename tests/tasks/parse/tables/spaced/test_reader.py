from itertools import accumulate, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.judge.io.models import read_trees
from tasks.parse.layout.rules import NO_RULES, Rule, Rules
from tasks.parse.layout.words import Word
from tasks.parse.tables.cells import Cell, without_gaps
from tasks.parse.tables.spaced.reader import spaced_cells

NAMES = st.lists(st.sampled_from(["Marine", "loans", "bed", "Northern", "oil", "pressure"]), min_size=1, max_size=9)
FIGURES = st.sampled_from(["12", "3,450", "7.25", "(18)", "91.3%", "$ 40"])
WIDE = 120.0
"""Width of the first column, in points."""


def letters(text: str, x: float, y: float, bold: bool = False) -> list[Word]:
    """A line of words on the baseline `y`, 5 points a letter, 2.5 points between words; some letters reach 2 points below it."""
    parts = text.split()
    starts = accumulate((5.0 * len(word) + 2.5 for word in parts), initial=x)
    ends = [y + 2 * bool(set(word) & set("gjpqy,()$")) for word in parts]
    places = zip(parts, starts, ends, strict=False)
    return [Word((at, y - 7, at + 5 * len(word), end), word, 0, 0, bold=bold) for word, at, end in places]


def wrapped(text: str, width: float = WIDE) -> list[str]:
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        lines[-1:] = [longer] if 5.0 * len(longer) <= width else [lines[-1], word]
    return lines


def drawn(rows: list[tuple[str, ...]], right: bool) -> list[Word]:
    """A head and rows below it: the first column wraps, figures stand 60 points apart, rows 16 points and lines 12."""
    words, y = [], 10.0
    for n, (name, *figures) in enumerate(rows):
        lines = wrapped(name)
        for m, line in enumerate(lines):
            words += letters(line, 0, y + 12 * m, n == 0)
        for column, figure in enumerate(figures):
            edge = 170.0 + 60 * column
            words += letters(figure, edge + (40 - 5 * len(figure) if right else 0), y, n == 0)
        y += 12 * (len(lines) - 1) + 16
    return words


@given(st.lists(st.tuples(NAMES.map(" ".join), FIGURES, FIGURES), min_size=2, max_size=8), st.booleans())
def test_a_drawn_table_has_the_cells_that_were_drawn(body: list[tuple[str, ...]], right: bool) -> None:
    rows = [("Item", "Cost", "Share"), *body]
    found = without_gaps(spaced_cells(drawn(rows, right), NO_RULES))
    assert found == [Cell(n, column, text) for n, row in enumerate(rows) for column, text in enumerate(row)]


@given(st.lists(st.tuples(st.integers(0, 400), st.integers(0, 300)), min_size=1, max_size=20))
def test_every_word_is_in_one_cell_and_no_two_cells_share_a_place(places: list[tuple[int, int]]) -> None:
    words = [word for n, (x, y) in enumerate(places) for word in letters(f"w{n}", x, y)]
    cells = spaced_cells(words, NO_RULES)
    assert sorted(" ".join(cell.text for cell in cells).split()) == sorted(word.text for word in words)
    covered = [
        (r, c)
        for cell in cells
        for r in range(cell.row, cell.row + cell.rows)
        for c in range(cell.column, cell.column + cell.columns)
    ]
    assert len(covered) == len(set(covered))


@pytest.mark.parametrize("bands", [False, True])
def test_lines_between_rules_or_in_a_band_are_one_row(bands: bool) -> None:
    texts = [("Part", "Remark"), ("Pump", "runs"), ("", "hot"), ("Fan", "late"), ("", "loud"), ("Belt", "torn"), ("", "twice")]
    words = [word for n, row in enumerate(texts) for m, text in enumerate(row) for word in letters(text, 100 * m, 10 + 12 * n)]
    edges = [-1.0, 12, 36, 60, 84]
    lines = Rules(tuple(Rule(at, 0, 140) for at in edges))
    shades = Rules(bands=tuple((0.0, a, 140.0, b) for a, b in list(pairwise(edges))[1::2]))
    found = [cell.text for cell in spaced_cells(words, shades if bands else lines) if cell.column]
    assert found == ["Remark", "runs hot", "late loud", "torn twice"]


@pytest.mark.parametrize("x", [120.0, 100.0, 140.0])
def test_labels_of_a_head_span_their_columns_however_they_are_aligned(x: float) -> None:
    """The two labels are centred over their columns, at the left or at the right of them."""
    head = [("", "Cost", "Load", "Cost", "Load"), ("oil", "12", "9", "31", "7"), ("gas", "14", "8", "32", "6")]
    words = [
        w for n, row in enumerate(head) for m, t in enumerate(row) for w in letters(t, 50.0 + 50 * m if m else 0.0, 30 + 16 * n)
    ]
    words = [*letters("Inland", x, 14), *letters("Abroad", x + 100, 14), *words]
    wide = [(cell.column, cell.columns, cell.text) for cell in spaced_cells(words, NO_RULES) if cell.row == 0]
    assert wide == [(1, 2, "Inland"), (3, 2, "Abroad")]


def test_a_label_of_three_lines_is_one_row() -> None:
    words = [*letters("Cost", 100, 10), *letters("per", 100, 22), *letters("unit", 100, 34), *letters("Load", 160, 10)]
    for n, name in enumerate(("oil", "gas", "tar")):
        words += [*letters(name, 0, 54 + 16 * n), *letters("12", 100, 54 + 16 * n), *letters("9", 160, 54 + 16 * n)]
    found = spaced_cells(words, NO_RULES)
    assert [cell.text for cell in found if cell.row == 0] == ["Cost per unit", "Load"]
    assert max(cell.row for cell in found) == 3


def test_figures_in_the_middle_of_a_name_of_two_lines_are_beside_it() -> None:
    words = [*letters("Name", 0, 10), *letters("2019", 150, 10), *letters("2020", 200, 10)]
    for n in range(3):
        y = 34 + 40 * n
        words += [*letters("Between state income", 0, y), *letters("inequality", 0, y + 12)]
        words += [*letters("0.6", 150, y + 6), *letters("0.7", 200, y + 6)]
    rows = [cell.text for cell in spaced_cells(words, NO_RULES) if cell.row == 1]
    assert rows == ["Between state income inequality", "0.6", "0.7"]


@given(st.lists(st.sampled_from(["cost", "load", "oil"]), min_size=2, max_size=7), st.booleans())
def test_pairs_of_keys_and_values_have_no_head(keys: list[str], bold: bool) -> None:
    words = []
    for n, key in enumerate(keys):
        words += [*letters(key if bold else f"{key}:", 0, 20 + 12 * n, bold), *letters("none", 80, 20 + 12 * n)]
    assert [cell.text for cell in spaced_cells(words, NO_RULES)] == [
        text for key in keys for text in (key if bold else f"{key}:", "none")
    ]


def test_names_in_lower_case_begin_rows_where_most_do() -> None:
    words, y = [*letters("Kind", 0, 20, bold=True), *letters("Text", 80, 20, bold=True)], 36
    rows = [
        ("bond", ["One device", "of several"]),
        ("dummy", ["Nothing here"]),
        ("tap", ["Some other", "device"]),
        ("tun", ["Last one"]),
    ]
    for name, lines in rows:
        words += letters(name, 0, y)
        for n, line in enumerate(lines):
            words += letters(line, 80, y + 12 * n)
        y += 12 * len(lines) + 4
    found = [cell.text for cell in spaced_cells(words, NO_RULES)]
    assert found == ["Kind", "Text", *(text for name, lines in rows for text in (name, " ".join(lines)))]


def test_a_first_row_of_several_lines_is_one_row_where_nothing_shows_a_head() -> None:
    rows = [("map(func,", "Apply a function to every", 10), ("*more)", "part of a frame", 22), ("roll(func)", "Move over it", 38)]
    rows += [("fold(func,", "Put all of them together", 54), ("start)", "in one", 66), ("drop()", "Leave it out", 82)]
    words = [word for name, text, y in rows for word in (*letters(name, 0, y), *letters(text, 90, y))]
    found = [cell.text for cell in spaced_cells(words, NO_RULES) if cell.column == 0]
    assert found == ["map(func, *more)", "roll(func)", "fold(func, start)", "drop()"]


@pytest.mark.parametrize("pitch", [13, 16, 18])
@pytest.mark.parametrize("sizes", [(9.0, 9.0, 10.5), (10.5, 9.0, 9.0, 10.5, 10.5), (7.0, 9.0, 7.0)])
def test_lines_whose_type_sizes_a_scan_measures_differently_stay_rows(pitch: int, sizes: tuple[float, ...]) -> None:
    second = {
        "Old": "New",
        "urllib open": "a request",
        "md5": "hash library",
        "buffer": "memory view",
        "thread": "low level thread",
    }
    second |= {"queue": "renamed", "anydbm": "data base", "whichdb": "data base names"}
    places = [(*row, 10.0 + pitch * n, sizes[n % len(sizes)]) for n, row in enumerate(second.items())]
    lines = [(letters(name, 0, y) + letters(text, 150, y), size) for name, text, y, size in places]
    cells = spaced_cells([word._replace(size=size) for line, size in lines for word in line], NO_RULES)
    assert [cell.text for cell in cells if not cell.column] == list(second)


def test_lines_as_near_as_those_of_a_label_are_one_row() -> None:
    def row(y: float, *texts: str) -> list[Word]:
        return [word for n, text in enumerate(texts) if text for word in letters(text, 90.0 * n, y, bold=y < 40)]

    words = [*row(20, "Trial", "Referral", "Since"), *row(33, "", "share", ""), *row(50, "Oxygen", "USD", "1998")]
    words += row(63, "saturation", "107.84", "")
    texts = [cell.text for cell in spaced_cells(words, NO_RULES, read_trees("rows"))]
    assert texts == ["Trial", "Referral share", "Since", "Oxygen saturation", "USD 107.84", "1998"]


def test_rows_whose_heights_are_rounded_to_pixels_are_not_joined() -> None:
    tops = list(accumulate([17.5 if n % 2 else 16.6 for n in range(8)], initial=20.0))
    words = [
        word for n, y in enumerate(tops) for word in (*letters(f"parameters.{n}", 0, y), *letters("Taken from models", 120, y))
    ]
    assert [cell.row for cell in spaced_cells(words, NO_RULES) if cell.column == 0] == list(range(9))


def test_rows_of_code_alone_and_of_code_beside_texts_are_as_far_apart_in_type_of_two_sizes() -> None:
    """Lines of one cell are 10.9 points apart in texts and 10.1 in code, rows are 12.1."""
    rows = [
        ("int", ["read(long at,", "long end)"], []),
        ("void", ["close()"], ["Closes it and frees the", "parts that it holds"]),
    ]
    rows += [("Stream", ["open()"], []), ("Stream", ["open(long at)"], ["Returns the part from the", "place on"])]
    rows += [
        ("int", ["size()"], []),
        ("int", ["skip(long at,", "long end)"], []),
        ("void", ["mark()"], []),
        ("void", ["back()"], []),
    ]
    words, y = [], 0.0
    for name, code, texts in rows:
        y += 12.1
        for x, lines, pitch, size in ((0.0, [name], 10.1, 8.0), (60.0, code, 10.1, 8.0), (150.0, texts, 10.9, 9.5)):
            found = [word for n, line in enumerate(lines) for word in letters(line, x, y + pitch * n)]
            words += [word._replace(size=size, font=f"Type {size}") for word in found]
        y += 10.1 * (len(code) - 1) + 10.9 * (len(texts) - 1) * bool(texts)
    assert [cell.text for cell in spaced_cells(words, NO_RULES) if not cell.column] == [name for name, _, _ in rows]


@pytest.mark.parametrize("label", [True, False])
def test_a_head_beside_its_figures_is_theirs_also_below_a_label_over_both(label: bool) -> None:
    words = [*letters("Item", 0, 26), *letters("Since then", 100, 26), *letters("Load", 240, 26)]
    words += letters("Hot", 154, 10) if label else []
    for n, name in enumerate(("oil", "gas", "tar")):
        words += [*letters(name, 0, 42 + 16 * n), *letters("1998", 160, 42 + 16 * n), *letters("9", 260, 42 + 16 * n)]
    found = spaced_cells(words, NO_RULES)
    assert [cell.text for cell in found if cell.column == 1] == [*["Hot"] * label, "Since then", "1998", "1998", "1998"]
