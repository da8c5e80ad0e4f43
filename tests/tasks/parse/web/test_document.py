import re
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from schemas.errors import DocumentError
from tasks.parse.elements.flow_document import FlowBlock
from tasks.parse.web.document import parse_html, table_of

TAGS = st.sampled_from(
    "p div ul ol li h2 table tr td th pre blockquote dl dt dd figure figcaption img br b a section header nav svg math q".split()
)
PIECES = st.one_of(
    TAGS.map(lambda tag: f"<{tag}>"),
    TAGS.map(lambda tag: f"</{tag}>"),
    st.text(alphabet="ab &<>\"'\n\t\u00a0é\u0301", max_size=5),
    st.sampled_from(
        ['<td colspan="0" rowspan="99999">', '<li value="x">', "<table role=none>", "<!--", "<img src='data:image/png,x'>"]
    ),
)
WORD = st.text(alphabet="abcxyzäß1", min_size=1, max_size=6)


def blocks(page: str, xhtml: bool = False) -> list[FlowBlock]:
    return parse_html(page.encode(), xhtml).blocks


def kinds(page: str) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in blocks(page)]


@settings(max_examples=200, deadline=None)
@given(st.lists(PIECES, max_size=40))
@example(["<pre>", "<pre>", "a", "</pre>", "b"])
@example(["<table><tr><th>a<table><tr><th>b<td>c</table><td>d"])
def test_any_soup_of_tags_is_read(pieces: list[str]) -> None:
    page = "x" + "".join(pieces)
    found = blocks(page)
    assert all(block.text == block.text.strip() for block in found if block.kind != "code")


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(["p", "div", "li", "h3", "blockquote", "td", "pre", "dd"]), WORD), min_size=1, max_size=12)
)
def test_the_words_of_blocks_survive_in_order(parts: list[tuple[str, str]]) -> None:
    page = "".join(f"<{tag}>{word}</{tag}>" for tag, word in parts)
    shown = " ".join(block.text or " ".join(cell.text for cell in block.cells) for block in blocks(page))
    assert "".join(shown.split()) == "".join(word for _, word in parts)


@settings(max_examples=50, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        assert isinstance(parse_html(data, True).blocks, list)
    except DocumentError as error:
        assert error.__notes__


def test_ten_thousand_elements_inside_each_other_are_read() -> None:
    assert kinds("<div>" * 10_000 + "deep") == [("paragraph", "deep")]
    (table,) = blocks("<table><tr><th>a<td>" * 500 + "deep")
    assert table.cells[-1].text.endswith("a deep")


def test_white_space_is_kept_in_listings_and_nowhere_else() -> None:
    assert kinds("<p> a \n b</p><pre>\n  a\n\n   b  <b>c</b>\n</pre>") == [("paragraph", "a b"), ("code", "  a\n\n   b  c")]
    assert kinds("<pre><div>a</div><div>b</div>c<br>d</pre>") == [("code", "a\nb\nc\nd")]


def test_lines_of_code_that_breaks_part_are_a_listing_where_nothing_stands_beside_them() -> None:
    assert kinds("<div><code>a:<br>&nbsp; b</code></div>c") == [("code", "a:\n  b"), ("paragraph", "c")]
    assert kinds("<p>Use <tt>a/<br>b</tt> first") == [("paragraph", "Use a/\nb first")]
    assert kinds("<p><code>a</code><p><samp>b<br></samp>c") == [("paragraph", "a"), ("paragraph", "b\nc")]


def test_a_header_is_furniture_only_around_the_whole_page() -> None:
    page = "<header><p>site</p></header><article><header><p>by me</p></header>text</article>"
    assert kinds(page) == [("furniture", "site"), ("paragraph", "by me"), ("paragraph", "text")]
    assert kinds("<div role=navigation><div>a</div>b</div>c") == [("furniture", "a"), ("furniture", "b"), ("paragraph", "c")]


def test_what_browsers_do_not_show_is_left_out() -> None:
    hidden = "<p hidden>a</p><p style='color:red; Display : none'>b</p><noscript>c</noscript><dialog>d</dialog><p>e"
    assert kinds(hidden) == [("paragraph", "e"), ("hidden", "a"), ("hidden", "b"), ("hidden", "d")]
    assert kinds("<p>e <span aria-hidden=true>f</span></p><main aria-hidden=true>g</main>") == [
        ("paragraph", "e"),
        ("paragraph", "g"),
        ("hidden", "f"),
    ]


@pytest.mark.parametrize(
    "how",
    [
        "hidden",
        "style='display:none'",
        "style='visibility: hidden;'",
        "style='opacity:0'",
        "style='font-size: 0px'",
        "style='color:#fff;background:white'",
        "style='background-color: rgb(0,0,0); color: black !important'",
        "bgcolor='#FFFFFF' style='color:white'",
    ],
)
def test_what_an_author_conceals_is_hidden(how: str) -> None:
    assert kinds(f"<p>a</p><div {how}><p>secret</p> text</div><p>b <b {how}>too</b></p>") == [
        ("paragraph", "a"),
        ("paragraph", "b"),
        ("hidden", "secret text"),
        ("hidden", "too"),
    ]


@pytest.mark.parametrize(
    "how",
    [
        "hidden=until-found",
        "style='opacity:0.5'",
        "style='opacity: 1'",
        "style='font-size: 10px'",
        "style='font-size:0.9em'",
        "style='color:white'",
        "style='color:white;background:#000'",
        "style='color:var(--a);background:var(--a)'",
        "style='background-color:white'",
    ],
)
def test_what_looks_like_concealing_is_shown(how: str) -> None:
    assert kinds(f"<p {how}>open</p>") == [("paragraph", "open")]


def test_text_on_its_own_band_is_shown_though_the_page_has_its_colour() -> None:
    page = "<div style='background:white'><p style='color:white'>secret<p style='background:navy'><b style='color:white'>open</b>"
    assert kinds(page) == [("paragraph", "open"), ("hidden", "secret")]


def test_a_link_that_is_a_mere_mark_is_left_out() -> None:
    assert kinds('<h2>Use<a href="#use">¶</a></h2><p>See <a href="#x">there</a>') == [
        ("heading", "Use"),
        ("paragraph", "See there"),
    ]


def test_a_formula_is_its_tex_where_the_page_has_it() -> None:
    tex = '<annotation encoding="application/x-tex">\\frac a b</annotation>'
    assert kinds(f"<math><semantics><mi>a</mi>{tex}</semantics></math>") == [("equation", "\\frac a b")]
    sums = "<munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover><msqrt><mi>x</mi></msqrt>"
    assert kinds(f"<p>It is <math>{sums}</math>.") == [("paragraph", "It is ∑_i^n√x.")]


def test_elements_closed_in_their_first_tag_end_there_in_xhtml_alone() -> None:
    page = "<p><a id='x'/>a<script src='x'/> b <![CDATA[<c>]]></p><p>d<br/>e</p>"
    assert [block.text for block in blocks(page, xhtml=True)] == ["a b <c>", "d\ne"]


TABLES = {
    "<table><tr><td>a<td>b<tr><td>c<td>d</table>": True,
    "<table><tr><th>a<td>b</table>": True,
    "<table role=presentation><tr><th>a<td>b<tr><td>c<td>d</table>": False,
    "<table><tr><td>a<td>b</table>": False,
    "<table><tr><td>a<tr><td>b</table>": False,
    "<table><tr><td><h2>a</h2><td>b<tr><td>c<td>d</table>": False,
    "<table><tr><td><table><tr><td>a</table><td>b<tr><td>c<td>d</table>": False,
}


@pytest.mark.parametrize("page", TABLES)
def test_data_tables_are_distinguished_from_layout_tables(page: str) -> None:
    assert ("table" in [kind for kind, _ in kinds(page)]) == TABLES[page]


def test_spans_end_with_their_group_and_never_fill_the_memory() -> None:
    rows = '<tr><th rowspan="0" colspan="1000">a' + "<tr><td>b" * 3000
    (table,) = blocks(f"<table><tr><th>x<th>y</tr>{rows}</table>")
    assert max(cell.rows * cell.columns for cell in table.cells) == 1
    (table,) = blocks('<table><thead><tr><th rowspan="5">a<th>b<tbody><tr><td>c<td>d</table>')
    assert [(cell.row, cell.column, cell.rows) for cell in table.cells] == [(0, 0, 1), (0, 1, 1), (1, 0, 1), (1, 1, 1)]
    assert table.n_head == 1


def test_a_single_table_in_markdown_has_html() -> None:
    assert table_of("<table><tr><th>a<th>b<tr><td>c<td>d</table>") == (
        "<table><thead><tr><td>a</td><td>b</td></tr></thead><tr><td>c</td><td>d</td></tr></table>"
    )
    assert table_of("<table><tr><td>a</table>") is None


@pytest.mark.parametrize(
    ("metas", "properties"),
    [
        ('<meta name="DC.creator" content="A"><meta name="DC.creator" content="B">', {"author": "A, B"}),
        ('<meta name="date" content="2024/3/1">', {"created": "2024-03-01"}),
        (
            '<meta name="date" content="soon"><meta http-equiv="content-language" content="de">',
            {"created": None, "language": "de"},
        ),
        ('<title>\n A </title><meta name="last-modified" content="Fri, 01 Mar 2024 12:00:00 GMT">', {"title": "A"}),
    ],
)
def test_meta_elements_become_properties(metas: str, properties: dict[str, Any]) -> None:
    found = dict(parse_html(f"<head>{metas}</head>x".encode(), False).properties)
    assert {name: found[name] for name in properties} == properties


def test_the_charset_of_a_page_is_the_one_it_names() -> None:
    def read(data: bytes) -> tuple[str, list[str]]:
        found = parse_html(data, False)
        return found.blocks[0].text, [reject["error"] for reject in found.rejects]

    assert read("é€".encode()) == ("é€", [])
    assert read("é€".encode("cp1252")) == ("é€", ["CharsetGuess"])
    assert read(b"<meta charset=latin1>" + "é€".encode("cp1252")) == ("é€", [])
    assert read(b"<!-- <meta charset=utf-8> --><meta charset=windows-1251>" + "Да".encode("cp1251")) == ("Да", [])
    assert read(b'<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS">' + "日本".encode("cp932")) == (
        "日本",
        [],
    )
    assert read("\ufeffé".encode("utf-16-be")) == ("é", [])
    assert read("\ufeffé".encode("utf-8") + b"<meta charset=koi8-r>") == ("é", [])
    assert read(b'<?xml version="1.0" encoding="ISO-8859-15"?><p>\xa4') == ("€", [])
    assert read(b"<meta charset=utf-8>a\xff") == ("a\ufffd", ["CharsetError"])
    assert read(b"<meta charset=unicode_escape>\\x41") == ("\\x41", [])
    assert re.search("windows-1252", parse_html(b"<meta charset=ascii>\x80", False).properties["extra"])


FRAMES = {
    '<iframe srcdoc="<p>Berth 4</p>"></iframe>': [("paragraph", "Berth 4")],
    "<iframe srcdoc='&lt;p&gt;Berth &amp;amp; quay&lt;/p&gt;'>old browsers</iframe>": [("paragraph", "Berth & quay")],
    '<iframe src="x" srcdoc="<html><head><title>T</title><style>p{}</style></head><body><h2>A</h2></body></html>" width=1 />': [
        ("heading", "A")
    ],
    '<p>a<iframe title="f" srcdoc="b"></iframe></p>': [("paragraph", "a"), ("paragraph", "b")],
    '<iframe srcdoc="<b>open <!-- never closed"></iframe><p>after</p>': [("paragraph", "open"), ("paragraph", "after")],
    '<iframe hidden srcdoc="<p>unseen</p>"></iframe>': [("hidden", "unseen")],
    '<iframe srcdoc=""></iframe><iframe src="y">old browsers</iframe>': [],
}


@pytest.mark.parametrize(("frame", "expected"), FRAMES.items())
def test_a_page_in_a_frame_is_read_where_it_stands(frame: str, expected: list[tuple[str, str]]) -> None:
    assert kinds(f"<h1>Port</h1>{frame}") == [("heading", "Port"), *expected]


DRAWINGS = {
    "<svg><foreignObject><div>Start<br>here</div><p>now</p></foreignObject><text>End</text></svg>": "Start here now End",
    "<svg><g><foreignObject><span>A</span></foreignObject><foreignObject><span>B</span></foreignObject></g></svg>": "A B",
    '<svg aria-label="Flow"><title>Flow</title><text>A</text></svg>': "Flow Flow A",
}


@pytest.mark.parametrize(("drawing", "text"), DRAWINGS.items())
def test_drawings_say_the_words_in_them(drawing: str, text: str) -> None:
    assert kinds(drawing) == [("figure", text)]


def test_links_to_edit_a_section_and_numbers_of_printed_pages_are_no_text() -> None:
    edit = '<span class="mw-editsection">[<a href="?action=edit">edit</a>]</span>'
    page = f"<h2>Tides{edit}</h2><div><h3>Locks</h3>{edit}</div><p>They <span role=doc-pagebreak>12</span>open.</p>"
    button = '<button aria-label="Copy code">Copy</button>'
    code = f"<div><pre>open()</pre><clipboard-copy>{button}<b role=doc-pagebreak>2</b></clipboard-copy>{button}</div>"
    assert kinds(page + code) == [("heading", "Tides"), ("heading", "Locks"), ("paragraph", "They open."), ("code", "open()")]
