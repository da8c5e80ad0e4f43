from tasks.search.neighbours import Candidate, join_neighbours


def chunk(position: int, kind: str = "text", document: str = "a") -> Candidate:
    return Candidate(f"{document}{position}", document, position, position * 10, position * 10 + 10, kind)


def test_neighbours_of_one_document_are_one_passage() -> None:
    ranked = [chunk(4), chunk(9), chunk(5), chunk(6), chunk(3, document="b")]
    assert join_neighbours(ranked, 2) == [[chunk(4), chunk(5), chunk(6)], [chunk(9)]]


def test_a_figure_stands_alone() -> None:
    ranked = [chunk(1, "figure"), chunk(2, "figure"), chunk(3)]
    assert join_neighbours(ranked, 3) == [[chunk(1, "figure")], [chunk(2, "figure")], [chunk(3)]]
