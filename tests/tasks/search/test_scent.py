import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tasks.search.name_words import word_lists, words_of
from tasks.search.scent import LOOKED_INTO, MOST_CHOSEN, Fields, Scent, ScentIndex, within_reach, without

REPORTS = [
    f"{company}_{year}_10K" for company in ("3M", "FOOTLOCKER", "AmericanWaterWorks", "PEPSICO") for year in range(2015, 2020)
]
NOTHING = Fields([], [])


def everywhere(n: int) -> Fields:
    """A sample in which every document has the same words."""
    return Fields(range(n), ["the revenue and capital expenditure of the company in the report"] * n)


def first(index: ScentIndex, question: str) -> int:
    return int(np.argmax(index.scent(question).values))


def test_a_question_smells_of_the_document_whose_name_has_its_company_and_year() -> None:
    index = ScentIndex(REPORTS, NOTHING, everywhere(len(REPORTS)))
    for question, name in {
        "What was 3M's FY2018 capital expenditure?": "3M_2018_10K",
        "What was the revenue of Foot Locker in fiscal 2016?": "FOOTLOCKER_2016_10K",
        "American Water Works, 2015: dividends": "AmericanWaterWorks_2015_10K",
        "How much did PepsiCo earn in FY2019?": "PEPSICO_2019_10K",
    }.items():
        assert REPORTS[first(index, question)] == name


def test_a_title_or_a_first_page_names_a_document_whose_file_does_not() -> None:
    names = ["2023_Q3_AAPL / Form 10-Q", "2023_Q1_AMZN / AMAZON.COM, INC.", "2023_Q3_AMZN / AMAZON.COM, INC."]
    heads = Fields(
        [0, 1, 2], ["Apple Inc., quarter ended July 1", "Amazon.com, quarterly report", "Amazon.com, quarterly report"]
    )
    index = ScentIndex(names, heads, everywhere(3))
    assert first(index, "What was the gross margin of Apple?") == 0
    assert first(index, "What did Amazon earn in Q3 2023?") == 2
    assert first(index, "What did Amazon earn in the first quarter of 2023?") == 1


def test_words_that_documents_have_anywhere_name_none_of_them() -> None:
    names = ["revenue guide", *(f"handbook {number}" for number in range(30))]
    assert ScentIndex(names, NOTHING, everywhere(31)).scent("What is the revenue?").values.max() < 0.1
    assert ScentIndex(names, NOTHING, Fields(range(31), ["other words"] * 31)).scent("What is the revenue?").values[0] > 0.5


def test_a_long_question_smells_less_of_a_document_that_has_one_of_its_words() -> None:
    index = ScentIndex(["heron", "mill", "weir"], NOTHING, Fields([0, 1, 2], ["", "", ""]))
    short = index.scent("Where is the heron?").values[0]
    assert short > index.scent("Where is the heron that ate eels beside old willows while snow fell on ledgers?").values[0] > 0


def test_names_that_say_nothing_smell_of_nothing() -> None:
    names = [f"{number:04d}" for number in range(50)]
    scent = ScentIndex(names, NOTHING, everywhere(50)).scent("What was the capital expenditure in 2018?")
    assert not scent.values.any() and scent.chosen == []


def test_a_corpus_of_one_document_has_no_scent() -> None:
    scent = ScentIndex(["3M_2018"], NOTHING, everywhere(1)).scent("3M in 2018")
    assert not scent.values.any() and scent.chosen == []


def test_names_in_other_scripts_are_words_too() -> None:
    index = ScentIndex(["Отчёт Газпром 2019", "Отчёт Лукойл 2019"], NOTHING, everywhere(2))
    assert first(index, "Какова выручка Лукойл за 2019 год?") == 1


@given(st.lists(st.text(max_size=30), max_size=6), st.text(max_size=60))
def test_any_names_and_questions_give_a_scent_for_each_document(names: list[str], question: str) -> None:
    scent = ScentIndex(names, Fields(range(len(names)), names), Fields(range(len(names)), names)).scent(question)
    assert scent.values.shape == (len(names),) and np.isfinite(scent.values).all() and (scent.values >= 0).all()
    assert len(scent.chosen) <= MOST_CHOSEN and all(scent.values[number] > 0 for number in scent.chosen)


def test_words_are_cut_where_letters_meet_years() -> None:
    assert word_lists(["AMCOR_2023Q2_10Q", "FY2018 10-K", ""]).to_pylist()[:2] == [
        ["amcor", "2023", "q2", "10q"],
        ["fy", "2018", "10k"],
    ]


def test_documents_of_too_many_chunks_are_not_looked_into() -> None:
    scent = Scent(np.ones(3), [0, 1, 2], {})
    assert within_reach(scent.chosen, [LOOKED_INTO + 1, 10, LOOKED_INTO]) == [1]


def test_words_that_name_a_document_are_spent_within_it() -> None:
    index = ScentIndex(REPORTS, NOTHING, everywhere(len(REPORTS)))
    question = "What was 3M's FY2018 capital expenditure?"
    scent = index.scent(question)
    spent = scent.spent[scent.chosen[0]]
    assert spent.keys() == {"3m", "2018"} and all(0.5 < sureness <= 1 for sureness in spent.values())
    assert without(question, spent) == "What was capital expenditure?"
    assert without(question, dict.fromkeys(spent, 0.1)) == question


@given(st.text("aB3 _-.\u00e9\u0414\u0434" + "2018" * 3, max_size=20))
def test_the_words_of_one_text_are_those_of_many(text: str) -> None:
    assert words_of(text) == [word for word in word_lists([text]).to_pylist()[0] if word]


@given(st.integers(2, 40))
def test_a_word_of_one_first_page_says_more_among_more_of_them(n: int) -> None:
    def smelled(n: int) -> float:
        heads = Fields(range(n), ["herons", *["mills"] * (n - 1)])
        return float(ScentIndex([f"{number:03d}" for number in range(60)], heads, heads).scent("Where are herons?").values[0])

    assert 0 < smelled(n) < smelled(n + 1)
