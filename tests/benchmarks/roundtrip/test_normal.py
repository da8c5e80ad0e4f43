"""HTML of any origin becomes the tags that all typesetters set."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.roundtrip.normal import normalise, rank_headings

TAGS = "h1 h2 h5 p div section ul ol li dl dt dd table tr td th pre blockquote aside nav script b code a br span svg".split()
KNOWN = set(
    "h1 h2 h3 h4 p ul ol li dl dt dd table caption thead tbody tr th td pre blockquote aside b i code sup sub a br".split()
)


@st.composite
def trees(draw: st.DrawFn, depth: int = 0) -> str:
    """Any nesting of tags, as parsers of the web meet it."""
    inner = st.text("ab <&", max_size=6).map(lambda text: text.replace("&", "&amp;").replace("<", "&lt;"))
    parts = draw(st.lists(inner if depth > 3 else st.one_of(inner, trees(depth + 1)), max_size=4))
    tag = draw(st.sampled_from(TAGS))
    return f"<{tag}>{''.join(parts)}</{tag}>"


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        ("<nav>x</nav><p>above</p><h2>T<a class='headerlink'>#</a></h2><div>bare <b>bold</b><p>p</p></div>",
         "<h1>T</h1>\n<p>bare <b>bold</b></p>\n<p>p</p>"),
        ("<ul><li><p>a</p><p>b</p></li><li>c<ul><li>d</li></ul></li></ul>",
         "<ul><li>a<p>b</p></li><li>c<ul><li>d</li></ul></li></ul>"),
        ("<div class='note'><h3>Note</h3>text</div>", "<aside><p><b>Note</b></p><p>text</p></aside>"),
        ("<p>a\u200b <img src=x> <em>b</em>\n c</p><script>x</script>", "<p>a <i>b</i> c</p>"),
        ("<table><tr><td><table><tr><td>in</td></tr></table></td><td>out</td></tr><tr><td>x</td></tr></table>",
         "<p>in</p>\n<p>out</p>\n<p>x</p>"),
        ("<p>text</p><table class='nav_table'><tr><td>Back</td><td>Top</td></tr><tr><td>Up</td><td>On</td></tr></table>",
         "<p>text</p>"),
    ],
)  # fmt: skip
def test_what_is_no_text_is_left_out_and_the_rest_is_kept_in_order(page: str, wanted: str) -> None:
    assert normalise(f"<body>{page}</body>".encode()) == wanted


def test_a_table_of_data_keeps_its_head_and_spans() -> None:
    page = "<table><tr><th colspan=2>h</th></tr><tr><td rowspan=2>a</td><td>b</td></tr><tr><td><p>c</p><p>d</p></td></tr></table>"
    head = '<thead><tr><th colspan="2">h</th></tr></thead>'
    body = '<tr><td rowspan="2">a</td><td>b</td></tr><tr><td>c<br>d</td></tr>'
    assert normalise(page.encode()) == f"<table>{head}<tbody>{body}</tbody></table>"


def test_a_table_with_gaps_is_left_out() -> None:
    assert normalise(b"<p>a</p><table><tr><td>a<td>b</tr><tr><td>c</tr></table>") == "<p>a</p>"


@given(st.lists(trees(), min_size=1, max_size=4))
def test_only_known_tags_are_left_whatever_the_page(parts: list[str]) -> None:
    body = normalise(f"<html><body><p>x</p>{''.join(parts)}</body></html>".encode())
    assert set(re.findall(r"<(\w+)", body)) <= KNOWN


@given(st.lists(trees(), min_size=1, max_size=4))
def test_normalising_twice_changes_nothing_more(parts: list[str]) -> None:
    once = normalise(f"<html><body><h1>x</h1>{''.join(parts)}</body></html>".encode())
    again = normalise(f"<html><body>{once}</body></html>".encode())
    assert again == once


def test_headings_are_ranked_without_gaps() -> None:
    assert rank_headings("<h2>a</h2><h6>b</h6><h4>c</h4>") == "<h1>a</h1><h3>b</h3><h2>c</h2>"
