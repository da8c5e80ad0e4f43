from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.language.terms import STOP_WORDS, extract_question_terms, extract_terms
from tests.tasks.language.samples import SAMPLES

LANGUAGES = st.sampled_from(["", *STOP_WORDS, "ja", "zh", "th", "xx"])


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("en", "The mills are turning", "the mill turns"),
        ("de", "Installationen der Systeme", "die Installation des Systems"),
        ("fr", "les installations nationales", "l'installation nationale"),
        ("ru", "установка системы", "установки системе"),
        ("ar", "الكتب والمدارس", "كتب مدارس"),
    ],
)
def test_forms_of_a_word_are_one_term_in_its_language(language: str, one: str, other: str) -> None:
    assert set(extract_terms(one, language).split()) & set(extract_terms(other, language).split())
    assert extract_terms(one, "xx") != extract_terms(one, language) or language == "en"


def test_words_without_blanks_between_them_stay_for_the_index() -> None:
    assert extract_terms("安装系统，第1章", "zh") == "安装系统 第1章"
    assert extract_terms("ﬁles of ＡＢＣ", "en") == "file abc"


def test_a_question_has_the_terms_of_all_languages_that_it_may_be_in() -> None:
    assert extract_question_terms("Installation", ["en", "de"]).split() == ["instal", "installation"]
    assert extract_question_terms("of the installation", ["en", "de"]) == "instal"
    assert extract_question_terms("mill mill", ["en"]) == "mill mill"
    assert extract_question_terms("the mills", []) == "mill"


def test_a_question_finds_texts_of_its_script_whose_language_nothing_tells() -> None:
    assert set(extract_terms("पानी", "").split()) <= set(extract_question_terms("पानी", ["hi", "en"]).split())


def test_a_question_of_function_words_keeps_them() -> None:
    assert extract_question_terms("to be or not to be", ["en"]) == "not"
    assert extract_question_terms("Where is it?", ["en"]) == "where is it"
    assert extract_question_terms("?!", ["en"]) == ""


@given(st.text(), LANGUAGES)
def test_terms_are_words_of_letters_and_digits_with_blanks_between_them(text: str, language: str) -> None:
    found = extract_terms(text, language)
    assert found == " ".join(found.split())
    assert extract_terms(text, language) == found


def test_threads_get_the_same_terms_as_one() -> None:
    work = [(text, language) for language, text in SAMPLES.items()] * 20
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(lambda one: extract_terms(*one), work)) == [extract_terms(*one) for one in work]
