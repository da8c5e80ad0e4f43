from hypothesis import given
from hypothesis import strategies as st

from schemas.ids import chunk_id, document_id, element_id, json_digest


@given(st.text(), st.text(), st.text())
def test_the_same_parts_give_the_same_id_and_other_parts_another(source: str, path: str, other: str) -> None:
    assert document_id("main", path) == document_id("main", path)
    assert (chunk_id("d", "r", 0, 1, path) == chunk_id("d", "r", 0, 1, other)) == (path == other)


def test_a_name_has_one_id_however_unicode_writes_it() -> None:
    assert document_id("main", "caf\u00e9/a.pdf") == document_id("main", "cafe\u0301\\a.pdf")


def test_ids_of_different_kinds_never_meet() -> None:
    assert element_id("x", 1, 2) != chunk_id("x", "1", 2, 0, "")


def test_the_digest_of_an_object_does_not_depend_on_the_order_of_its_keys() -> None:
    assert json_digest({"a": 1, "b": [2]}) == json_digest({"b": [2], "a": 1})
