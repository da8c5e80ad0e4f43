"""Type sizes of headings over the pages of a scanned document."""

from tasks.parse.elements.from_regions import element
from tasks.parse.scans.elements import Sized, with_alike_headings


def page(*sizes: float, kind: str = "heading") -> list[Sized]:
    return [(element(1, kind, "Wheel"), size) for size in sizes]


def sizes_of(*pages: list[Sized]) -> list[list[float]]:
    return [[size for _, size in found] for found in with_alike_headings(pages)]


def test_headings_that_measure_the_same_on_several_pages_are_of_one_size() -> None:
    assert sizes_of(page(16.75, 16.75, 16.75), page(18.25, 12.25)) == [[16.75] * 3, [16.75, 12.25]]


def test_bold_type_stays_a_step_above_and_text_as_it_is() -> None:
    assert sizes_of(page(10.0, 10.0, 10.25)) == [[10.0, 10.0, 10.25]]
    assert sizes_of(page(16.75), page(18.0, kind="paragraph")) == [[16.75], [18.0]]
    assert sizes_of() == [] and sizes_of([]) == [[]]
