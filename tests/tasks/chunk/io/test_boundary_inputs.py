"""The endpoint is a small server on the loopback."""

from collections.abc import Iterator
from typing import Any

import pytest

from schemas.errors import InputError, ServiceError
from schemas.options.sections import ChunkOptions
from schemas.staged import PROPOSED
from tasks.chunk.chunk import split_document_into_sentences
from tasks.chunk.io.boundary_inputs import (
    MOST_SENTENCES,
    build_boundary_questions,
    parse_sentence_numbers,
    propose_boundaries,
    propose_boundaries_of_each,
    read_boundary_proposal,
)
from tests.endpoints import Endpoint, serving
from tests.tasks.described import plain

ROW = plain("The mill stands. The river rose. It froze. The wheel broke. ")


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with serving() as served:
        yield served


def options(endpoint: Endpoint, **own: Any) -> ChunkOptions:
    return ChunkOptions(strategy="llm", endpoint=endpoint.url, chat_model="small", **own)


def test_a_model_proposes_boundaries_by_sentence_numbers(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MILL_KEY", "secret")
    table = propose_boundaries(ROW, options(endpoint, api_key_variable="MILL_KEY"))
    assert table.schema == PROPOSED
    starts = split_document_into_sentences(ROW).starts
    assert read_boundary_proposal(table).breaks == [starts[0], starts[2]]
    [asked] = endpoint.asked
    assert (asked["path"], asked["model"], asked["temperature"]) == ("/v1/chat/completions", "small", 0)
    assert asked["messages"][1]["content"].startswith("[0] The mill stands.\n[1]")
    assert endpoint.keys == ["Bearer secret"]


@pytest.mark.parametrize(("answer", "reason"), [("I cannot", "no list"), ("[7]", "not among")])
def test_a_useless_answer_leaves_a_reason(endpoint: Endpoint, answer: str, reason: str) -> None:
    endpoint.answer = answer
    boundaries = read_boundary_proposal(propose_boundaries(ROW, options(endpoint)))
    assert boundaries.breaks == []
    assert reason in boundaries.reason


def test_a_key_that_is_not_set_is_an_error(endpoint: Endpoint) -> None:
    with pytest.raises(InputError, match="MILL_KEY is not set"):
        propose_boundaries(ROW, options(endpoint, api_key_variable="MILL_KEY"))


@pytest.mark.parametrize(("status", "error"), [(500, ServiceError), (429, ServiceError), (401, InputError), (404, InputError)])
def test_an_endpoint_that_fails_is_asked_again_and_one_that_refuses_is_not(
    endpoint: Endpoint, status: int, error: type[Exception]
) -> None:
    endpoint.status = status
    with pytest.raises(error, match=str(status)):
        propose_boundaries(ROW, options(endpoint))


def test_an_endpoint_that_is_down_is_not_asked_for_every_document(endpoint: Endpoint) -> None:
    endpoint.status = 503
    outcomes = list(propose_boundaries_of_each([ROW, ROW, ROW], options(endpoint)))
    assert [type(outcome) for outcome in outcomes] == [ServiceError] * 3
    assert len(endpoint.asked) == 1


def test_sentences_are_numbered_through_several_questions() -> None:
    asked = list(build_boundary_questions(["One.\n Two."] * (MOST_SENTENCES + 5)))
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
        parse_sentence_numbers(answer, 1, 9)
