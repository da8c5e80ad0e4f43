import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from tasks.evaluate.gold import DocumentText, Gold, GoldNotFound, Question, locate_gold_in_source, locate_questions

words = st.text(alphabet="abc \n", max_size=60)
letters = st.text(alphabet="abcü.( ", min_size=1, max_size=8).filter(str.strip)


def question(name: str, **values: object) -> Question:
    return Question.model_validate({"id": name, "question": "?", **values})


@given(before=words, quote=letters, after=words)
def test_a_span_whose_quote_stands_there_stays(before: str, quote: str, after: str) -> None:
    gold = Gold(document="a.txt", start=len(before), end=len(before) + len(quote), quote=quote)
    assert locate_gold_in_source(gold, DocumentText(before + quote + after, 1)) == gold


@given(before=words, quote=letters, after=words, start=st.integers(0, 200))
def test_a_moved_quote_is_found_to_the_letter_nearest_to_its_old_start(before: str, quote: str, after: str, start: int) -> None:
    text = before + quote + after
    found = locate_gold_in_source(Gold(document="a.txt", start=start, end=start + len(quote), quote=quote), DocumentText(text, 1))
    assert found.start is not None
    assert text[found.start : found.end] == found.quote == quote
    places = [at for at in range(len(text)) if text.startswith(quote, at)]
    assert abs(found.start - start) == min(abs(place - start) for place in places)


@given(
    quote=st.lists(st.text(alphabet="abcü.(", min_size=1, max_size=5), min_size=2, max_size=6),
    gap=st.sampled_from(["", "\n", " \t "]),
)
def test_a_quote_whose_white_space_changed_is_found_with_exact_offsets(quote: list[str], gap: str) -> None:
    text = "xyz " + gap.join(quote) + " xyz"
    found = locate_gold_in_source(Gold(document="a.txt", start=0, end=1, quote=" ".join(quote)), DocumentText(text, 1))
    assert found.start is not None
    assert text[found.start : found.end] == found.quote
    assert "".join(found.quote.split()) == "".join(quote)


@given(text=words, quote=letters, start=st.none() | st.integers(0, 99))
def test_what_is_located_is_what_the_quote_says(text: str, quote: str, start: int | None) -> None:
    gold = Gold(document="a.txt", start=start, end=None if start is None else start + 1, quote=quote)
    try:
        found = locate_gold_in_source(gold, DocumentText(text, 1))
    except GoldNotFound:
        squeezed = "".join(text.split())
        assert start is None or "".join(quote.split()) not in squeezed
        return
    assert "".join(text[found.start : found.end].split()) == "".join(quote.split())


def test_a_quote_alone_is_located_where_it_stands_once() -> None:
    found = locate_gold_in_source(Gold(document="a.txt", quote="cat"), DocumentText("a cat sat", 1))
    assert (found.start, found.end) == (2, 5)


def test_a_quote_alone_at_two_places_is_a_problem() -> None:
    with pytest.raises(GoldNotFound, match="occurs 2 times"):
        locate_gold_in_source(Gold(document="a.txt", quote="cat"), DocumentText("cat, cat", 1))


def test_the_earlier_of_two_places_equally_near_counts() -> None:
    found = locate_gold_in_source(Gold(document="a.txt", start=4, end=5, quote="cat"), DocumentText("cat 56 cat", 1))
    assert found.start == 7
    assert locate_gold_in_source(Gold(document="a.txt", start=3, end=4, quote="cat"), DocumentText("cat   cat", 1)).start == 0


def test_a_quote_that_is_gone_is_a_problem() -> None:
    with pytest.raises(GoldNotFound, match="does not occur in the text: 'dog'"):
        locate_gold_in_source(Gold(document="a.txt", start=0, end=3, quote="dog"), DocumentText("a cat", 1))


def test_a_span_beyond_the_text_is_a_problem() -> None:
    with pytest.raises(GoldNotFound, match="beyond the text's 5 characters"):
        locate_gold_in_source(Gold(document="a.txt", start=0, end=6), DocumentText("a cat", 1))


def test_a_blank_span_is_a_problem() -> None:
    with pytest.raises(GoldNotFound, match="from 1 to 2 is blank"):
        locate_gold_in_source(Gold(document="a.txt", start=1, end=2), DocumentText("a cat", 1))


def test_a_page_beyond_the_last_is_a_problem() -> None:
    gold = Gold(document="a.pdf", page=3)
    assert locate_gold_in_source(gold, DocumentText("", 3)) == gold
    with pytest.raises(GoldNotFound, match="beyond the last page, 2"):
        locate_gold_in_source(gold, DocumentText("", 2))


def test_every_question_is_located_or_has_a_problem_never_neither() -> None:
    sources = {"a.txt": DocumentText("a cat sat", 1)}
    good = question("1", gold=[{"document": "a.txt", "start": 0, "end": 1, "quote": "cat"}])
    gone = question("2", gold=[{"document": "a.txt", "quote": "cat"}, {"document": "a.txt", "quote": "dog"}])
    unknown = question("3", documents=["b.txt"], gold=[{"document": "b.txt", "page": 1}])
    located, problems = locate_questions([good, gone, unknown], sources)
    assert [(found.id, found.gold[0].start) for found in located] == [("1", 2)]
    assert [(problem.question_id, problem.document) for problem in problems] == [("2", "a.txt"), ("3", "b.txt")]


@given(st.data())
def test_no_question_is_lost_or_invented(data: st.DataObject) -> None:
    paths = st.sampled_from(["a.txt", "b.txt", "c.txt"])
    golds = st.builds(lambda path, quote: {"document": path, "quote": quote}, paths, letters)
    questions = [
        question(str(at), gold=gold) for at, gold in enumerate(data.draw(st.lists(st.lists(golds, min_size=1, max_size=3))))
    ]
    located, problems = locate_questions(questions, {"a.txt": DocumentText(data.draw(words), 1), "b.txt": DocumentText("abc", 1)})
    kept, reported = {found.id for found in located}, {problem.question_id for problem in problems}
    assert kept | reported == {asked.id for asked in questions}
    assert not kept & reported


def test_a_path_in_another_normal_form_is_the_same_document() -> None:
    asked = question("1", documents=["cafe\u0301\\a.txt"])
    assert asked.document_paths == ("caf\u00e9/a.txt",)


@pytest.mark.parametrize(
    "gold",
    [
        {"document": "a"},
        {"document": "", "page": 1},
        {"document": "a", "start": 1},
        {"document": "a", "start": 2, "end": 2},
        {"document": "a", "start": -1, "end": 2},
        {"document": "a", "page": 0},
        {"document": "a", "page": 1, "quote": "x"},
        {"document": "a", "quote": " "},
        {"document": "a", "quot": "x"},
    ],
)
def test_what_is_no_place_is_no_gold(gold: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Gold.model_validate(gold)
