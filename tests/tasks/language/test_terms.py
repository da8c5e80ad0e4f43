from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.language.terms import STOP_WORDS, question_terms, terms
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
    assert set(terms(one, language).split()) & set(terms(other, language).split())
    assert terms(one, "xx") != terms(one, language) or language == "en"


def test_words_without_blanks_between_them_stay_for_the_index() -> None:
    assert terms("安装系统，第1章", "zh") == "安装系统 第1章"
    assert terms("ﬁles of ＡＢＣ", "en") == "file abc"


def test_a_question_has_the_terms_of_all_languages_that_it_may_be_in() -> None:
    assert question_terms("Installation", ["en", "de"]).split() == ["instal", "installation"]
    assert question_terms("of the installation", ["en", "de"]) == "instal"
    assert question_terms("mill mill", ["en"]) == "mill mill"
    assert question_terms("the mills", []) == "mill"


def test_a_question_finds_texts_of_its_script_whose_language_nothing_tells() -> None:
    assert set(terms("पानी", "").split()) <= set(question_terms("पानी", ["hi", "en"]).split())


def test_a_question_of_function_words_keeps_them() -> None:
    assert question_terms("to be or not to be", ["en"]) == "not"
    assert question_terms("Where is it?", ["en"]) == "where is it"
    assert question_terms("?!", ["en"]) == ""


@given(st.text(), LANGUAGES)
def test_terms_are_words_of_letters_and_digits_with_blanks_between_them(text: str, language: str) -> None:
    found = terms(text, language)
    assert found == " ".join(found.split())
    assert terms(text, language) == found


def test_threads_get_the_same_terms_as_one() -> None:
    work = [(text, language) for language, text in SAMPLES.items()] * 20
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(lambda one: terms(*one), work)) == [terms(*one) for one in work]
