import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.layout.words import Word
from tasks.parse.scans.typefaces.sizes import runs_down
from tasks.parse.scans.words import (
    OcrWord,
    beside,
    mean_confidence,
    scanned_words,
    strength,
    with_joined_characters,
    without_doubtful_spaces,
)

LINE = [
    OcrWord("Tall", (0, 0, 40, 20), 0.9, (1, 1), 1),
    OcrWord("neon", (50, 6, 90, 20), 0.7, (1, 1), 1),
    OcrWord("gap", (100, 6, 130, 26), 0.8, (1, 2), 1),
]


def test_words_come_in_points_with_one_size_for_a_line() -> None:
    tall, neon, gap = scanned_words(LINE, 0.5)
    assert tall.word.box == (0, 0, 20, 10)
    assert tall.word.size == neon.word.size == gap.word.size == pytest.approx(14, abs=0.5)
    assert tall.base == neon.base == 10
    assert gap.base == pytest.approx(10, abs=0.5)
    assert (tall.word.line, gap.word.line) == (0, 1)
    assert (tall.word.block, gap.word.block) == (0, 1)


def test_dashes_tell_no_type_size_and_a_box_that_reaches_too_far_is_not_believed() -> None:
    dashes = [OcrWord("-", (200 + 20 * n, 10, 208 + 20 * n, 12), 0.9, (1, 1), 1) for n in range(3)]
    assert scanned_words([*LINE[:2], *dashes], 0.5)[0].word.size == scanned_words(LINE[:2], 0.5)[0].word.size
    high = LINE[1]._replace(box=(50, 0, 90, 30))
    assert scanned_words([LINE[0], high], 0.5)[0].word.size == scanned_words(LINE[:1], 0.5)[0].word.size


def test_specks_are_left_out_and_marks_kept() -> None:
    specks = [OcrWord("|", (0, 0, 1, 9), 0.2, (1, 1), 1), OcrWord("-", (5, 5, 9, 6), 0.9, (1, 1), 1)]
    assert [seen.word.text for seen in scanned_words(specks, 1)] == ["-"]


def test_words_that_run_down_are_not_upright() -> None:
    down = [OcrWord("sideways", (0, 0, 12, 80), 0.9, (1, 1), 1)]
    assert runs_down(down)
    assert not runs_down(LINE)
    assert not scanned_words(down, 1)[0].word.upright


def test_confidence_counts_by_letter() -> None:
    assert strength(LINE) == pytest.approx(0.9 * 4 + 0.7 * 4 + 0.8 * 3)
    assert mean_confidence(LINE) == pytest.approx(strength(LINE) / 11)
    assert mean_confidence([]) == 0


def test_the_text_layer_goes_before_what_is_seen_at_its_place() -> None:
    layer = [Word((0, 0, 21, 11), "Ta11", 0, 0)]
    merged = beside(scanned_words(LINE, 0.5), layer)
    assert sorted(seen.word.text for seen in merged) == ["Ta11", "gap", "neon"]
    assert len({seen.word.line for seen in merged}) == 3


@given(st.lists(st.tuples(st.text(min_size=1), st.floats(0, 1), st.integers(0, 3)), max_size=8))
def test_no_word_with_a_letter_is_lost(found: list[tuple[str, float, int]]) -> None:
    words = [OcrWord(text, (n * 9.0, 0, n * 9.0 + 8, 10), conf, (1, par), 1) for n, (text, conf, par) in enumerate(found)]
    assert len(scanned_words(words, 1)) >= sum(any(map(str.isalnum, word.text)) for word in words)


def in_line(text: str, x: float) -> OcrWord:
    return OcrWord(text, (x, 0, x + 10 * len(text), 12), 0.5, (1, 1), 1)


def test_characters_that_chinese_writes_without_a_space_are_one_word() -> None:
    (word,) = with_joined_characters([in_line("磨坊", 0), in_line("把", 22), in_line("。", 33)])
    assert (word.text, word.box) == ("磨坊把。", (0, 0, 43, 12))


def test_words_with_a_space_and_the_columns_of_a_table_stay_apart() -> None:
    assert len(with_joined_characters([in_line("데비안", 0), in_line("설치", 32)])) == 2
    assert len(with_joined_characters([in_line("磨坊", 0), in_line("Lintian", 22), in_line("文件", 96)])) == 3
    assert len(with_joined_characters([in_line("磨坊", 0), in_line("文件", 50)])) == 2


@given(st.lists(st.tuples(st.text(min_size=1), st.floats(0, 900))))
def test_joining_characters_keeps_every_character(found: list[tuple[str, float]]) -> None:
    words = [in_line(*each) for each in found]
    assert "".join(word.text for word in with_joined_characters(words)) == "".join(text for text, _ in found)


def sizes_of(*found: tuple[str, float, float]) -> set[float]:
    """Return the type sizes of words, given with their width and height, each in a line of its own."""
    words = [OcrWord(text, (0, 40 * n, w, 40 * n + h), 0.9, (1, 1), n) for n, (text, w, h) in enumerate(found)]
    return {seen.word.size for seen in scanned_words(words, 1)}


def test_cyrillic_letters_are_of_one_size_with_and_without_capitals_and_tails() -> None:
    low, high, deep, tailed = 52, 72, 93, 64
    assert sizes_of(("окно", 200, low), ("Окно", 200, high), ("Суп", 200, deep), ("две", 200, tailed)) == {100}


def test_commas_and_slashes_reach_less_deep_than_letters_and_marks_above_capitals_are_higher() -> None:
    assert sizes_of(("1990", 200, 72), ("$1,990", 200, 84), ("19/02", 200, 84), ("Äpfel", 200, 109), ("НАСТРОЙКА", 400, 88)) == {
        100
    }


def test_an_underscore_makes_no_type_larger() -> None:
    assert sizes_of(("SUCCESS", 200, 72), ("MPI_SUCCESS", 300, 84), ("mod_proxy", 300, 93)) == {100}


def test_a_full_stop_that_begins_a_line_stays_apart_and_any_other_does_not() -> None:
    assert [word.text for word in with_joined_characters([in_line("。", 0), in_line("术语", 12)])] == ["。", "术语"]
    assert [word.text for word in with_joined_characters([in_line("A", 0), in_line("。", 12), in_line("术语", 23)])] == [
        "A",
        "。术语",
    ]


def test_chinese_characters_are_as_wide_as_their_type_is_large_whatever_the_height_of_the_line() -> None:
    assert sizes_of(("访问控制", 40, 16), ("服务器端插入简介", 80, 11)) == {10}


def test_lines_of_a_paragraph_in_arabic_letters_are_of_one_size() -> None:
    assert sizes_of(("المخدم", 90, 9), ("بالإضافة", 90, 12), ("لتسجيل", 90, 16)) == {13}


@given(st.lists(st.tuples(st.text(min_size=1), st.integers(1, 90), st.integers(1, 90)), max_size=8))
def test_every_word_has_a_size(found: list[tuple[str, int, int]]) -> None:
    assert all(size >= 1 for size in sizes_of(*found))


@pytest.mark.parametrize(
    ("before", "after", "confidence", "gap", "joined"),
    [
        ("file.", "remove", 0.2, 8, True),
        ("[Contents", "][Index]", 0.6, 8, True),
        ("(", "value", 0.6, 8, True),
        ("file.", "Remove", 0.2, 8, False),
        ("file.", "remove", 0.9, 8, False),
        ("file.", "remove", 0.2, 30, False),
        ("1", "=", 0.4, 8, False),
    ],
)
def test_a_doubtful_space_beside_a_mark_is_none(before: str, after: str, confidence: float, gap: int, joined: bool) -> None:
    words = [
        OcrWord(before, (0, 0, 60, 20), confidence, (1, 1), 1),
        OcrWord(after, (60 + gap, 0, 140, 20), confidence, (1, 1), 1),
    ]
    assert [word.text for word in without_doubtful_spaces(words)] == ([before + after] if joined else [before, after])
    surer = [words[0]._replace(confidence=0.1), words[1]]
    assert without_doubtful_spaces(surer) == surer
    below = [words[0], words[1]._replace(line=2)]
    assert without_doubtful_spaces(below) == below
