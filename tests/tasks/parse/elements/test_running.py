from schemas.records import Element
from tasks.parse.elements.from_regions import element
from tasks.parse.elements.running import PageWithEdges as Page
from tasks.parse.elements.running import with_repeated_settled, with_running_headers
from tasks.parse.layout.geometry import as_struct


def at(y: float, text: str, size: float = 10.0, kind: str = "paragraph") -> tuple[Element, float]:
    return element(1, kind, text, bbox={"x0": 60, "y0": y, "x1": 200, "y1": y + 10}), size


def kinds(pages: list[Page]) -> list[list[str]]:
    return [[found["kind"] for found, _ in elements] for elements in with_running_headers(pages)]


def test_text_repeated_at_one_height_is_a_running_header_with_any_number() -> None:
    pages = [Page([at(40, f"The Mill, page {n}"), at(100, "Body.")], 1) for n in range(3)]
    assert kinds(pages) == [["furniture", "paragraph"]] * 3


def test_a_text_on_two_pages_may_be_there_by_chance() -> None:
    pages = [Page([at(40, "The Mill"), at(100, "Body.")], 1) for _ in range(2)]
    assert kinds(pages) == [["paragraph", "paragraph"]] * 2


def test_a_title_in_the_place_of_running_headers_is_one() -> None:
    pages = [Page([at(40, text), at(100, "Body.")], 1) for text in ("One", "Two", "Two", "Two", "Three")]
    assert kinds(pages) == [["furniture", "paragraph"]] * 5


def test_larger_type_or_another_height_is_none() -> None:
    pages = [Page([at(40, "Two"), at(100, "Body.")], 1) for _ in range(3)]
    others = [Page([at(40, "Three", 14.0, "heading")], 1), Page([at(60, "Four")], 1)]
    assert kinds([*pages, *others])[3:] == [["heading"], ["paragraph"]]


def test_footers_are_distinguished_from_footnotes_that_differ() -> None:
    pages = [Page([at(100, "Body."), at(700, f"See {word}.", 8.0, "footnote"), at(760, "Draft")], 0, 2) for word in "abcd"]
    assert kinds(pages) == [["paragraph", "footnote", "furniture"]] * 4


def test_footnotes_stay_where_others_stand_in_one_place_and_even_where_they_are_alike() -> None:
    pages = [Page([at(100, "Body."), at(700, f"See note {n}, at {n}.", 8.0, "footnote")], 0, 1) for n in range(4)]
    assert kinds(pages) == [["paragraph", "footnote"]] * 4


def test_text_that_is_not_at_an_edge_stays() -> None:
    pages = [Page([at(40, "The Mill"), at(60, "The Mill")]) for _ in range(4)]
    assert kinds(pages) == [["paragraph", "paragraph"]] * 4


def kinds_by_others(pages: list[Page]) -> list[list[str]]:
    return [[found["kind"] for found, _ in elements] for elements in with_repeated_settled(pages)]


def test_what_is_furniture_on_one_page_is_so_on_another_with_any_number() -> None:
    pages = [Page([at(40, "Page 1", kind="furniture"), at(100, "Body.")]), Page([at(41, "Page 12"), at(100, "Body.")])]
    assert kinds_by_others(pages) == [["furniture", "paragraph"]] * 2


def test_pieces_of_a_header_may_be_one_element_elsewhere() -> None:
    title, part = at(40, "The Mill", kind="furniture"), at(40, "Part One", kind="furniture")
    part[0]["bbox"] = as_struct((300.0, 40.0, 400.0, 50.0))
    assert kinds_by_others([Page([part, title]), Page([at(40, "The Mill Part One")])])[1] == ["furniture"]


def test_the_same_text_lower_or_in_other_type_is_none() -> None:
    pages = [Page([at(40, "The Mill", kind="furniture")]), Page([at(140, "The Mill"), at(40, "The Mill", 14.0)])]
    assert kinds_by_others(pages)[1] == ["paragraph", "paragraph"]


def test_a_heading_is_furniture_only_if_it_mostly_is() -> None:
    furniture, heading = Page([at(40, "Sails", kind="furniture")]), Page([at(40, "Sails", kind="heading")])
    assert kinds_by_others([furniture, heading, Page([at(40, "Sails", kind="heading")])])[1:] == [["heading"], ["heading"]]
    again = [Page([at(40, "Sails", kind="furniture")]) for _ in range(2)]
    assert kinds_by_others([*again, Page([at(40, "Sails", kind="heading")])])[2] == ["furniture"]
