import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.language.detection import PART, detect_language, detect_script, guess_question_languages, parse_language_code
from tasks.language.function_words import DISTINCTIVE_LETTERS, FUNCTION_WORDS, LANGUAGE_OF_SCRIPT, LANGUAGES_OF_SCRIPT, LETTERS
from tests.tasks.language.samples import SAMPLES


@pytest.mark.parametrize("language", SAMPLES)
def test_the_language_of_a_few_sentences_is_told(language: str) -> None:
    assert detect_language(SAMPLES[language]) == language


@given(st.text())
def test_every_text_is_in_a_known_language_or_in_none(text: str) -> None:
    assert detect_language(text) in {"", *FUNCTION_WORDS, *LANGUAGE_OF_SCRIPT.values()}
    assert detect_script(text) in {"", *LETTERS}


@pytest.mark.parametrize("text", ["", "  ", "1911 + 2", "mill_id, n_rows = 3", "Debian GNU/Linux", "die Mühle"])
def test_what_no_words_tell_is_in_no_language(text: str) -> None:
    assert detect_language(text) == ""


def test_most_of_a_text_decides_and_names_in_latin_letters_do_not() -> None:
    assert detect_language(SAMPLES["zh"] + " Debian GNU/Linux, BIOS, UEFI, RAID") == "zh"
    assert detect_language(SAMPLES["ru"] + " Debian GNU/Linux") == "ru"
    assert detect_language(5 * SAMPLES["en"] + SAMPLES["zh"]) == "en"


def test_a_long_text_is_looked_at_in_three_places() -> None:
    padding = "0 " * 4 * PART
    assert detect_language(SAMPLES["de"] + padding) == detect_language(padding + SAMPLES["de"]) == "de"


def test_a_question_without_function_words_may_be_in_any_language_of_its_script() -> None:
    corpus = ["de", "en", "ru", "ja"]
    assert guess_question_languages("Festplatte partitionieren", corpus) == ["de", "en"]
    assert guess_question_languages("Wie wird die Festplatte partitioniert?", corpus) == ["de"]
    assert guess_question_languages("Настройка RAID GRUB", corpus) == ["ru"]
    assert guess_question_languages("RAIDの設定", corpus) == ["ja"]
    assert guess_question_languages("what is it", []) == []
    assert guess_question_languages("a", ["ca", "en", "it", "pt", "fr"]) == ["ca", "en", "it", "pt"]
    assert guess_question_languages("ماذا", corpus) == []


def test_a_tag_gives_its_language() -> None:
    assert [parse_language_code(tag) for tag in ("en-US", "pt_BR", "DE", "")] == ["en", "pt", "de", ""]


def test_the_lists_fit_each_other() -> None:
    assert (
        {language for languages in LANGUAGES_OF_SCRIPT.values() for language in languages}
        == set(FUNCTION_WORDS)
        >= set(DISTINCTIVE_LETTERS)
    )
    assert set(LANGUAGES_OF_SCRIPT) | set(LANGUAGE_OF_SCRIPT) == set(LETTERS)
    assert all(words and all(word == word.lower() for word in words) for words in FUNCTION_WORDS.values())
