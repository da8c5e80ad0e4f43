import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.scans.scripts import (
    LANGUAGES,
    is_read_by,
    known_languages,
    language_of,
    languages_of,
    reader_of,
    readers_of,
    script_of,
)

GERMAN = "Die Mühle verwandelt Ordner in einen Bestand, und jede Nacht liest sie, was neu ist. Das ist nicht viel. " * 2
ENGLISH = "The mill turns folders into a corpus, and every night it reads what is new. That is not much to do. " * 2


def test_a_text_is_in_the_language_of_its_function_words() -> None:
    assert language_of(GERMAN) == "deu"
    assert language_of(ENGLISH) == "eng"


def test_accents_that_english_letters_cannot_show_do_not_matter() -> None:
    assert (
        language_of("Le moulin lit les pages et les images dans une nuit, pour que des lecteurs ne soient pas seuls. " * 2)
        == "fra"
    )


def test_a_text_too_short_to_tell_counts_as_english() -> None:
    assert language_of("die Mühle und das Korn") == "eng"


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("Мельница parse", "Cyrillic"),
        ("日本語の文章です", "Japanese"),
        ("磨坊把文件", "Han"),
        ("데비안 설치", "Korean"),
        ("مرحبا", "Arabic"),
        ("12", "Latin"),
    ],
)
def test_a_text_is_in_the_script_of_most_of_its_letters(text: str, script: str) -> None:
    assert script_of(text) == script


@given(st.text())
def test_every_text_has_a_script_and_a_language(text: str) -> None:
    assert script_of(text)
    assert language_of(text) in known_languages()


@pytest.mark.parametrize("script", LANGUAGES)
def test_each_script_is_read_by_its_languages_and_english(script: str) -> None:
    first, *_ = readers_of(script, known_languages())
    assert first.endswith("+eng")
    assert is_read_by(script, first)
    assert not is_read_by(script, "eng+deu")


def test_scripts_that_share_characters_are_tried_one_after_the_other() -> None:
    assert readers_of("Korean", {"kor", "chi_sim"}) == ["kor+eng", "chi_sim+eng"]
    assert languages_of("Japanese") == ["jpn", "chi_sim", "chi_tra", "kor"]


def test_nothing_reads_a_script_without_its_data() -> None:
    assert readers_of("Cyrillic", {"eng", "deu"}) == []
    assert reader_of("Мельница читает новое", {"eng"}) == "eng"


def test_figures_are_read_in_the_language_of_the_text_beside_them() -> None:
    assert reader_of(GERMAN, {"eng", "deu"}) == "deu"
    assert reader_of(GERMAN, {"eng"}) == "eng"
    assert reader_of("Мельница читает новое", {"rus"}) == "rus+eng"


def test_latin_letters_are_read_by_every_language_of_no_other_script() -> None:
    assert is_read_by("Latin", "deu")
    assert not is_read_by("Latin", "rus")
    assert is_read_by("Fraktur", "eng")
