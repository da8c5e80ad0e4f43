import numpy as np
import pandas as pd
import pytest

from expectations.references import check_references

ELEMENTS = pd.DataFrame({"element_id": ["e0", "e1", "e2"], "document_id": ["d0", "d0", "d1"]})


def failed(frame: pd.DataFrame) -> list[tuple[str, str]]:
    findings = check_references("elements", frame, "element_id", {"d0", "d1", "d2"})
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


def test_a_repeated_key_is_named() -> None:
    ((column, observed),) = failed(ELEMENTS.assign(element_id=["e0", "e1", "e1"]))
    assert (column, "e1" in observed) == ("element_id", True)


def test_a_missing_key_is_found() -> None:
    ((column, _),) = failed(ELEMENTS.assign(element_id=["e0", np.nan, "e1"]))
    assert column == "element_id"
