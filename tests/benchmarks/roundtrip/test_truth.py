"""What a reader should write of a normalised fragment."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.roundtrip.truth import comparable, truth_of

WORDS = st.lists(st.text("abcäж", min_size=1, max_size=8), min_size=1, max_size=5).map(" ".join)
CELLS = st.lists(st.lists(WORDS, min_size=2, max_size=2), min_size=1, max_size=4)
BLOCKS = st.one_of(
    WORDS.map("<p>{}</p>".format),
    WORDS.map("<h2>{}</h2>".format),
    WORDS.map("<pre>{}</pre>".format),
    WORDS.map("<aside>{}</aside>".format),
    st.lists(WORDS, min_size=1).map(lambda items: f"<ul>{''.join(f'<li>{item}</li>' for item in items)}</ul>"),
    st.lists(WORDS, min_size=1).map(lambda items: f"<dl>{''.join(f'<dt>{item}</dt><dd>x</dd>' for item in items)}</dl>"),
    CELLS.map(lambda rows: "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)).map(
        "<table><tbody>{}</tbody></table>".format
    ),
)


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("<h1>a <code>b</code></h1><h3>c</h3>", "# a b\n\n### c\n"),
        ("<p>a<br>b<sup>1</sup></p>", "a b1\n"),
        ("<ul><li>a<ol><li>b</li><li>c</li></ol></li></ul>", "- a\n\n1. b\n\n2. c\n"),
        ("<dl><dt>term</dt><dd>body<p>more</p></dd></dl>", "term\n\nbody\n\nmore\n"),
        ("<pre># no heading\n  x</pre><p># nor this</p>", " # no heading\n   x\n\n # nor this\n"),
        ("<figure><svg><text>label</text></svg><figcaption>below</figcaption></figure>", "below\n"),
        ("<p>Chapter ...... 3</p>", "Chapter 3\n"),
    ],
)
def test_blocks_become_the_markdown_that_the_scorer_reads(body: str, wanted: str) -> None:
    assert truth_of(body) == wanted


def test_a_table_has_its_caption_above_and_its_spans() -> None:
    head = '<thead><tr><th colspan="2">a &amp; b</th></tr></thead>'
    body = f"<table><caption>what</caption>{head}<tbody><tr><th>c</th><td></td></tr></tbody></table>"
    wanted = '<table><tr><th colspan="2">a &amp; b</th></tr><tr><td>c</td><td></td></tr></table>'
    assert truth_of(body) == f"what\n\n{wanted}\n"


@given(st.lists(BLOCKS, min_size=1, max_size=6))
def test_the_words_of_a_source_are_those_of_its_truth_in_order(blocks: list[str]) -> None:
    body = "".join(blocks)
    told = re.sub(r"<[^<>]*>|^[#-]+ ", " ", truth_of(body), flags=re.MULTILINE)
    assert told.split() == re.sub("<[^<>]*>", " ", body).split()


@given(st.lists(BLOCKS, min_size=1, max_size=6))
def test_a_truth_is_comparable_as_it_is(blocks: list[str]) -> None:
    truth = truth_of("".join(blocks))
    assert comparable(truth) == truth


def test_fenced_code_and_heads_of_tables_are_made_comparable() -> None:
    table = "<table><thead><tr><td>a</td></tr></thead>\n<tr>\n <td>b<br>c</td></tr></table>"
    assert comparable(f"```sh\n# x\n```\n\n{table}\n") == " # x\n\n\n<table><tr><th>a</th></tr><tr><td>b c</td></tr></table>\n"


def test_bars_in_cells_are_no_ends_of_cells() -> None:
    table = "| t | P>\\|t\\| |\n| --- | --- |\n| 1 | 2 |\n"
    made = "<table><tr><th>t</th><th>P&gt;|t|</th></tr><tr><td>1</td><td>2</td></tr></table>\n"
    assert comparable(f"x\n\n{table}\ny\n") == f"x\n\n{made}\ny\n"
    assert comparable("| a |\n| --- |\n| b |\n") == "| a |\n| --- |\n| b |\n"
