import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.language.terms import extract_question_terms, extract_terms, split_korean_word
from tasks.language.words import is_written_as_name, normalize_text, split_letter_pairs, split_number_parts, tokenize_words

INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060\ufeff\u200e\u202a"
SAME = [
    ("hi", "पानी में नाव", "नाव"),
    ("hi", "किनारे की नौका", "नौका"),
    ("ne", "डुङ्गा नदीमा छ", "डुङ्गा"),
    ("bn", "ঘাটে একটি নৌকা", "নৌকা"),
    ("ta", "துறைமுகம் பெரியது", "துறைமுகம்"),
    ("te", "పడవ వచ్చింది", "పడవ"),
    ("ml", "തുറമുഖം", "തുറമുഖം"),
    ("si", "වරාය", "වරාය"),
    ("ar", "الْمِينَاءُ مُغْلَقٌ", "الميناء"),
    ("ar", "المينــاء", "الميناء"),
    ("he", "הַנָּמֵל סָגוּר", "הנמל"),
    ("tr", "İstanbul limanı", "istanbul"),
    ("tr", "GEMİLER limanda", "gemiler"),
    ("ru", "за́мок на горе", "замок"),
    ("de", "Donau\u00addampf\u00adschifffahrt", "Donaudampfschifffahrt"),
    ("en", "har\u200bbour gate", "harbour"),
    ("en", "har\u2060bour gate", "harbour"),
    ("en", "har\ufeffbour gate", "harbour"),
    ("fa", "می\u200cخواهم", "میخواهم"),
    ("fr", "cafe\u0301 du port", "café"),
    ("en", "the ﬁle", "file"),
    ("en", "CO₂ and H₂O", "co2"),
    ("ko", "항구에서 배가 떠났다", "항구"),
    ("ko", "선박은 항구로", "항구"),
    ("en", "sha256 " + "0a1b" * 16, "0a1b" * 16),
]
"""A language, a text in it, and a question that must find it."""


@pytest.mark.parametrize(("language", "text", "question"), SAME)
def test_a_word_is_found_however_it_is_written(language: str, text: str, question: str) -> None:
    asked = set(extract_question_terms(question, [language]).split())
    assert asked and asked <= set(extract_terms(text, language).split())


@pytest.mark.parametrize(
    ("one", "other"), [("v18.2.1", "18.1.2"), ("10⁶ cells", "106"), ("1,577", "15 77"), ("01.02.2024", "02.01.2024")]
)
def test_numbers_with_parts_are_not_the_same_in_another_order(one: str, other: str) -> None:
    assert extract_terms(one, "en").split()[0] not in extract_terms(other, "en").split()


def test_a_number_with_parts_is_found_by_them_and_with_or_without_a_v() -> None:
    assert extract_terms("v18.2.1", "en") == extract_terms("18.2.1", "en") == "18ꞏ2ꞏ1 18 2 1"
    assert set(extract_question_terms("18.2", ["en"]).split()[1:]) <= set(extract_terms("18.2.1", "en").split())


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("The WHO reports", True),
        ("WHO", True),
        ("IT harbour", True),
        ("our IT.", True),
        ("the WHO IT team", True),
        ("WHO\nThe agency", True),
        ("Who reports?", False),
        ("WHO IS IT", False),
        ("it is here. It floats", False),
        ("by Will Turner", True),
        ("said, Will", True),
        ("What Will It Be", False),
        ("I will", False),
    ],
)
def test_a_function_word_is_a_term_where_it_is_written_as_a_name(text: str, kept: bool) -> None:
    assert bool({"who", "it", "will"} & set(extract_terms(text, "en").split())) is kept


@pytest.mark.parametrize("word", ["항구에서부터", "항구의", "항구관리국은", "신항구"])
def test_a_korean_noun_is_found_in_longer_words(word: str) -> None:
    assert "항구" in split_korean_word(word)


@pytest.mark.parametrize("word", ["물이", "나이", "항구", "port", "항구port", ""])
def test_other_words_stay_whole(word: str) -> None:
    assert split_korean_word(word) == [word]


def test_letters_with_points_are_the_word_without_them() -> None:
    assert extract_terms("the U.S. of America", "en").split() == extract_terms("the US of America", "en").split()
    assert tokenize_words("1.2.a of A. and J.B. ends.") == ["1.2", ".", "a", "of", "A", ".", "and", "JB", "ends", "."]


@given(st.text(string.printable), st.text(INVISIBLE, min_size=1, max_size=3))
def test_what_nobody_sees_changes_no_word(text: str, unseen: str) -> None:
    assert tokenize_words(unseen.join(text)) == tokenize_words(text)
    assert normalize_text(unseen) == ""


@given(st.lists(st.from_regex(r"\A[A-Za-z0-9]{1,8}\Z"), min_size=1))
def test_words_of_letters_and_digits_are_what_blanks_part(words: list[str]) -> None:
    assert tokenize_words(" ".join(words)) == words
    assert [is_written_as_name(words, at) for at in range(len(words))].count(True) <= len(words)


@given(st.lists(st.from_regex(r"\A[0-9]{1,4}\Z"), min_size=1, max_size=5), st.sampled_from(".,"))
def test_the_parts_of_a_number_are_its_parts(parts: list[str], between: str) -> None:
    assert tokenize_words(between.join(parts)) == [between.join(parts)]
    assert split_number_parts(between.join(parts)) == parts


def test_runs_without_blanks_become_pairs_of_letters() -> None:
    assert split_letter_pairs("パッケージ管理") == ["パッ", "ッケ", "ケー", "ージ", "ジ管", "管理"]
    assert split_letter_pairs("川") == ["川"]
    assert split_letter_pairs("мельница") == ["мельница"]
    assert split_letter_pairs("") == [""]


@given(st.text(min_size=1))
def test_pieces_lose_no_letter(word: str) -> None:
    found = split_letter_pairs(word)
    assert set("".join(found)) == set(word)
    assert all(piece in word for piece in found)
