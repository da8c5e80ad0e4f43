import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tasks.search.document_prior import (
    MOST_CHOSEN,
    MOST_SCANNED,
    DocumentIndex,
    DocumentPrior,
    DocumentTexts,
    choose_documents_to_scan,
    drop_naming_words,
)

REPORTS = [
    f"{company}_{year}_10K" for company in ("3M", "FOOTLOCKER", "AmericanWaterWorks", "PEPSICO") for year in range(2015, 2020)
]
NOTHING = DocumentTexts([], [])


def everywhere(n: int) -> DocumentTexts:
    """A sample in which every document has the same words."""
    return DocumentTexts(range(n), ["the revenue and capital expenditure of the company in the report"] * n)


def first(index: DocumentIndex, question: str) -> int:
    return int(np.argmax(index.find_prior(question).affinities))


def test_a_question_has_affinity_to_the_document_whose_name_has_its_company_and_year() -> None:
    index = DocumentIndex(REPORTS, NOTHING, everywhere(len(REPORTS)))
    for question, name in {
        "What was 3M's FY2018 capital expenditure?": "3M_2018_10K",
        "What was the revenue of Foot Locker in fiscal 2016?": "FOOTLOCKER_2016_10K",
        "American Water Works, 2015: dividends": "AmericanWaterWorks_2015_10K",
        "How much did PepsiCo earn in FY2019?": "PEPSICO_2019_10K",
    }.items():
        assert REPORTS[first(index, question)] == name


def test_a_title_or_a_first_page_names_a_document_whose_file_does_not() -> None:
    names = ["2023_Q3_AAPL / Form 10-Q", "2023_Q1_AMZN / AMAZON.COM, INC.", "2023_Q3_AMZN / AMAZON.COM, INC."]
    heads = DocumentTexts(
        [0, 1, 2], ["Apple Inc., quarter ended July 1", "Amazon.com, quarterly report", "Amazon.com, quarterly report"]
    )
    index = DocumentIndex(names, heads, everywhere(3))
    assert first(index, "What was the gross margin of Apple?") == 0
    assert first(index, "What did Amazon earn in Q3 2023?") == 2
    assert first(index, "What did Amazon earn in the first quarter of 2023?") == 1


def test_words_that_documents_have_anywhere_name_none_of_them() -> None:
    names = ["revenue guide", *(f"handbook {number}" for number in range(30))]
    assert DocumentIndex(names, NOTHING, everywhere(31)).find_prior("What is the revenue?").affinities.max() < 0.1
    assert (
        DocumentIndex(names, NOTHING, DocumentTexts(range(31), ["other words"] * 31))
        .find_prior("What is the revenue?")
        .affinities[0]
        > 0.5
    )


def test_a_long_question_has_less_affinity_to_a_document_that_has_one_of_its_words() -> None:
    index = DocumentIndex(["heron", "mill", "weir"], NOTHING, DocumentTexts([0, 1, 2], ["", "", ""]))
    short = index.find_prior("Where is the heron?").affinities[0]
    assert (
        short
        > index.find_prior("Where is the heron that ate eels beside old willows while snow fell on ledgers?").affinities[0]
        > 0
    )


def test_names_that_say_nothing_have_no_affinity() -> None:
    names = [f"{number:04d}" for number in range(50)]
    prior = DocumentIndex(names, NOTHING, everywhere(50)).find_prior("What was the capital expenditure in 2018?")
    assert not prior.affinities.any() and prior.chosen == []


def test_a_corpus_of_one_document_has_no_prior() -> None:
    prior = DocumentIndex(["3M_2018"], NOTHING, everywhere(1)).find_prior("3M in 2018")
    assert not prior.affinities.any() and prior.chosen == []


def test_names_in_other_scripts_are_words_too() -> None:
    index = DocumentIndex(["Отчёт Газпром 2019", "Отчёт Лукойл 2019"], NOTHING, everywhere(2))
    assert first(index, "Какова выручка Лукойл за 2019 год?") == 1


@given(st.lists(st.text(max_size=30), max_size=6), st.text(max_size=60))
def test_any_names_and_questions_give_an_affinity_for_each_document(names: list[str], question: str) -> None:
    prior = DocumentIndex(names, DocumentTexts(range(len(names)), names), DocumentTexts(range(len(names)), names)).find_prior(
        question
    )
    assert prior.affinities.shape == (len(names),) and np.isfinite(prior.affinities).all() and (prior.affinities >= 0).all()
    assert len(prior.chosen) <= MOST_CHOSEN and all(prior.affinities[number] > 0 for number in prior.chosen)


def test_documents_of_too_many_chunks_are_not_scanned() -> None:
    prior = DocumentPrior(np.ones(3), [0, 1, 2], {})
    assert choose_documents_to_scan(prior.chosen, [MOST_SCANNED + 1, 10, MOST_SCANNED]) == [1]


def test_words_that_name_a_document_are_discounted_within_it() -> None:
    index = DocumentIndex(REPORTS, NOTHING, everywhere(len(REPORTS)))
    question = "What was 3M's FY2018 capital expenditure?"
    prior = index.find_prior(question)
    discounts = prior.discounts[prior.chosen[0]]
    assert discounts.keys() == {"3m", "2018"} and all(0.5 < confidence <= 1 for confidence in discounts.values())
    assert drop_naming_words(question, discounts) == "What was capital expenditure?"
    assert drop_naming_words(question, dict.fromkeys(discounts, 0.1)) == question


@given(st.integers(2, 40))
def test_a_word_of_one_first_page_says_more_among_more_of_them(n: int) -> None:
    def affinity(n: int) -> float:
        heads = DocumentTexts(range(n), ["herons", *["mills"] * (n - 1)])
        return float(
            DocumentIndex([f"{number:03d}" for number in range(60)], heads, heads).find_prior("Where are herons?").affinities[0]
        )

    assert 0 < affinity(n) < affinity(n + 1)
