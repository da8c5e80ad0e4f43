"""Long documents are cut at headings; no piece is longer than some pages."""

from hypothesis import given
from hypothesis import strategies as st

from benchmarks.roundtrip.pieces import LEAST, MOST, pieces, shorten, tellable, weight
from benchmarks.roundtrip.truth import truth_of

SECTIONS = st.lists(st.tuples(st.integers(1, 3), st.lists(st.integers(5, 900), max_size=8)), min_size=1, max_size=8)


def body_of(sections: list[tuple[int, list[int]]]) -> str:
    return "\n".join(
        f"<h{rank}>head {n}</h{rank}>" + "".join(f"<p>{'word ' * (size // 5)}</p>" for size in sizes)
        for n, (rank, sizes) in enumerate(sections)
    )


def weight_of(body: str) -> float:
    from lxml import html

    return sum(map(weight, html.fragment_fromstring(body, create_parent="div")))


@given(SECTIONS)
def test_pieces_start_with_headings_and_keep_their_size_and_order(sections: list[tuple[int, list[int]]]) -> None:
    made = pieces(body_of(sections))
    assert all(piece.startswith("<h") and LEAST <= weight_of(piece) <= MOST for piece in made)
    heads = [line for piece in made for line in truth_of(piece).splitlines() if line.startswith("#")]
    assert heads == sorted(heads, key=lambda head: int(head.split()[-1]))


@given(SECTIONS, st.floats(100, 5000))
def test_a_shortened_text_is_a_beginning_that_does_not_end_in_a_heading(
    sections: list[tuple[int, list[int]]], most: float
) -> None:
    body = body_of(sections)
    short = shorten(body, most)
    assert truth_of(body).startswith(truth_of(short).strip())
    assert weight_of(short) <= most if short else True
    assert not short.endswith(("</h1>", "</h2>", "</h3>"))


def test_a_list_that_is_too_long_keeps_its_first_items() -> None:
    items = "".join(f"<li>{'x' * 50}</li>" for _ in range(9))
    assert shorten(f"<h1>a</h1><p>b</p><ul>{items}</ul>", 1000).count("<li>") == 7


def test_a_table_keeps_as_many_rows_as_the_scorer_can_take() -> None:
    rows = "".join("<tr><td>a</td><td>b</td></tr>" for _ in range(200))
    assert shorten(f"<table><tbody>{rows}</tbody></table>", 1e9, cells=60).count("<tr>") == 30


def test_text_about_tables_of_html_is_not_tellable() -> None:
    assert not tellable("<p>the tag &lt;table border=1&gt;</p>")
    assert tellable("<p>the tag &lt;b&gt;</p><table><tr><td>x</td></tr></table>")
