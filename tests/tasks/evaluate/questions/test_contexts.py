import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.evaluate.gold import GoldNotFound
from tasks.evaluate.questions.contexts import TextIndex
from tasks.evaluate.questions.formats import Context

TEXTS = TextIndex(
    {
        "mill.txt": "The mill was built\n  in 1804. A flood took its wheel.",
        "pump.txt": "The pump runs. The heron waits.",
        "copy.txt": "The heron waits. The heron waits.",
    }
)


def span(text: str, answer: str) -> Context:
    start = text.index(answer)
    return Context(text, (start, start + len(answer)))


def test_an_answer_is_found_through_its_context_whatever_the_white_space() -> None:
    gold = TEXTS.locate_context(span("The mill was built in 1804. A flood took its  wheel.", "built in 1804"))
    assert (gold.document, gold.quote) == ("mill.txt", "built\n  in 1804")


def test_a_context_without_an_answer_is_gold_itself() -> None:
    assert TEXTS.locate_context(Context(" The pump runs. ")).quote == "The pump runs."


def test_of_a_context_that_is_not_there_the_sentence_with_the_answer_is_searched_for() -> None:
    context = span("Nobody wrote this. A flood took its wheel. Nor this.", "flood")
    gold = TEXTS.locate_context(context)
    assert (gold.document, gold.quote) == ("mill.txt", "flood")


@pytest.mark.parametrize(
    ("context", "message"),
    [
        (Context("The crane waits."), "no document contains this text: 'The crane waits.'"),
        (Context("The heron waits."), r"occurs more than once \(in pump.txt, copy.txt\), name the document"),
        (Context(" \n"), "no document contains this text"),
        (Context("runs. The heron waits. The heron waits."), "no document contains"),
    ],
)
def test_what_is_nowhere_or_in_several_places_is_refused(context: Context, message: str) -> None:
    with pytest.raises(GoldNotFound, match=message):
        TEXTS.locate_context(context)


def test_an_exact_match_is_preferred() -> None:
    texts = TextIndex({"a": "one\ntwo", "b": "one two"})
    assert texts.locate_context(Context("one two")).document == "b"


words = st.lists(st.text("abc é\u2003.", min_size=1).filter(str.strip), min_size=1, max_size=6)


@given(parts=words, space=st.sampled_from([" ", "\n", "\u00a0 "]), data=st.data())
def test_any_unique_span_is_found_again_with_other_white_space(parts: list[str], space: str, data: st.DataObject) -> None:
    text = " ".join(["<", *parts, ">"])
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    answer = text[start:end]
    if answer.strip():
        changed = re.sub(r"\s+", space, text)
        before = len(re.sub(r"\s+", space, text[:start]))
        low = before if not text[start - 1 : start].isspace() or not answer[0].isspace() else before - len(space)
        context = Context(changed, (low, low + len(re.sub(r"\s+", space, answer))))
        gold = TextIndex({"other": "nothing", "d": text}).locate_context(context)
        assert gold.document == "d"
        assert gold.quote == answer.strip()
