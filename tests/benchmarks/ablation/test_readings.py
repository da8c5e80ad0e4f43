"""An ablation reads each document with all passes, as parse does, and without each that does anything to it."""

from collections.abc import Mapping

import pytest

from benchmarks.ablation.readings import TOGETHER, WHOLE, read_with_each_left_out, read_without_all
from benchmarks.ablation.worth import compute_worth
from schemas.options.sections import ParseOptions
from tasks.parse.pdf.io.document import parse_pdf
from tests.tasks import drawn

OPTIONS = ParseOptions(ocr=False)


def test_a_reading_differs_where_the_pass_that_is_left_out_acts() -> None:
    content = drawn.joined_table()
    found = read_with_each_left_out(content, OPTIONS)
    assert found.elements[WHOLE] == parse_pdf(content, OPTIONS, lambda _: None)["elements"]
    assert {"cut-at-grids", "continued"} <= found.elements.keys()
    assert "terms" not in found.elements
    assert found.seconds["terms"] > 0


def test_passes_that_are_left_out_together_make_one_reading() -> None:
    content = drawn.joined_table()
    found = read_without_all(content, OPTIONS, {"cut-at-grids", "continued"})
    assert found.elements.keys() == {WHOLE, TOGETHER}
    assert read_without_all(content, OPTIONS, {"terms"}).elements.keys() == {WHOLE}


def test_what_cannot_be_read_has_no_elements() -> None:
    assert read_with_each_left_out(drawn.with_password(), OPTIONS).elements == {WHOLE: []}


@pytest.mark.parametrize(
    ("without", "helps", "hurts"),
    [
        ({f"{n}": 0.4 for n in range(20)}, True, False),
        ({f"{n}": 0.6 for n in range(20)}, False, True),
        ({"1": 0.4}, False, False),
    ],
)
def test_a_pass_is_worth_something_if_more_documents_show_it_than_chance_would(
    without: Mapping[str, float], helps: bool, hurts: bool
) -> None:
    worth = compute_worth({f"{n}": 0.5 for n in range(20)}, without)
    assert worth is not None
    assert (worth.helps, worth.hurts) == (helps, hurts)
