from hypothesis import given
from hypothesis import strategies as st

from tasks.search.words import extract_stems, find_wanted_stems, normalize_idf, split_name_into_words, split_names_into_words


def test_words_are_cut_where_letters_meet_years() -> None:
    assert split_names_into_words(["AMCOR_2023Q2_10Q", "FY2018 10-K", ""]).to_pylist()[:2] == [
        ["amcor", "2023", "q2", "10q"],
        ["fy", "2018", "10k"],
    ]


@given(st.text("aB3 _-.\u00e9\u0414\u0434" + "2018" * 3, max_size=20))
def test_the_split_name_one_text_are_those_of_many(text: str) -> None:
    assert split_name_into_words(text) == [word for word in split_names_into_words([text]).to_pylist()[0] if word]


def test_rare_words_weigh_more() -> None:
    wanted = extract_stems("When did the river freeze?")
    weights = normalize_idf(wanted, find_wanted_stems(wanted, ["river", "river bed", "river freeze"]))
    assert weights["freeze"] > weights["river"]
    assert abs(sum(weights.values()) - 1) < 1e-9
    assert normalize_idf([], [frozenset()]) == {}
