import pytest

from tasks.chunk.proposals import MOST_SENTENCES, build_questions, parse_numbers


def test_sentences_are_numbered_through_several_questions() -> None:
    asked = list(build_questions(["One.\n Two."] * (MOST_SENTENCES + 5)))
    assert [first for first, _ in asked] == [0, MOST_SENTENCES]
    assert asked[1][1].startswith(f"[{MOST_SENTENCES}] One. Two.\n")


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("none", "no list"),
        ("[2, 2]", "not in ascending order"),
        ("[3, 1]", "not in ascending order"),
        ("[9]", "not among"),
        ("[1, 30]", "not among"),
        ("[1,,2]", "read"),
    ],
)
def test_an_answer_that_names_no_sentences_is_refused(answer: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_numbers(answer, 1, 9)
