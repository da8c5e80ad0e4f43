import pandas as pd
import pytest

from tests.expectations.frames import references

ELEMENTS = pd.DataFrame({"element_id": ["e0", "e1", "e2"], "document_id": ["d0", "d0", "d1"]})


def failed(frame: pd.DataFrame) -> list[tuple[str, str]]:
    findings = references("elements", frame, "element_id", {"d0", "d1", "d2"})
    return [(found.column, found.observed) for found in findings if found.refuses]


@pytest.mark.parametrize("frame", [ELEMENTS, ELEMENTS[:0]])
def test_elements_of_known_documents_pass(frame: pd.DataFrame) -> None:
    assert failed(frame) == []


def test_an_element_of_an_unknown_document_is_named() -> None:
    ((column, observed),) = failed(ELEMENTS.assign(document_id=["d0", "gone", "d1"]))
    assert (column, "e1" in observed) == ("known", True)


def test_an_element_of_no_document_is_named() -> None:
    frame = pd.DataFrame({"element_id": ["e0", "e1", "e2"], "document_id": ["d0", None, "d1"]})
    ((column, observed),) = failed(frame)
    assert (column, "e1" in observed) == ("known", True)


def test_a_figure_that_is_there_twice_is_named() -> None:
    findings = references("figures", ELEMENTS.assign(element_id=["e0", "e1", "e1"]), "element_id", {"d0", "d1"})
    (finding,) = [found for found in findings if found.refuses]
    assert (finding.column, "e1" in finding.observed) == ("element_id", True)
