import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.text.markdown import parse_markdown
from tests.tasks.parse.text.test_markdown import assert_covers

DATA = "data:image/png;base64," + base64.b64encode(bytes(range(200))).decode()
SECRET = base64.b64encode(bytes(range(200))).decode()[:20]
UNSEEN = {
    "a picture alone": (f"![curve]({DATA})", "![curve]()"),
    "a picture in a line": (f"It ![icon]({DATA}) fell.", "It ![icon]() fell."),
    "a picture with a title": (f'![curve]({DATA} "the curve")', '![curve]( "the curve")'),
    "a picture in angle brackets": (f"![curve](<{DATA}>)", "![curve]()"),
    "a picture in a list": (f"- a\n- ![curve]({DATA})", "- a\n- ![curve]()"),
    "a picture in a table": (f"| a |\n|---|\n| ![b]({DATA}) |", "| a |\n|---|\n| ![b]() |"),
    "a picture in HTML": (f'<img alt="curve" src="{DATA}">', '<img alt="curve" src="">'),
    "a picture in a line of HTML": (f"a <img src='{DATA}'> b", "a <img src=''> b"),
    "a picture by reference": (f"![curve][c] fell.\n\n[c]: {DATA}\n\nb", "![curve][c] fell.\n\n\n\nb"),
    "a picture in percent": ("![c](data:image/svg+xml;utf8,%3Csvg%3E) d", "![c]() d"),
    "a file": ("[get](data:application/pdf;base64,JVBERi0xLjcKJeLjz9MK) it", "[get]() it"),
    "an address alone": (f"see <{DATA}> and {DATA} there", "see <> and  there"),
    "a style with a picture": (f'<p style="background:url({DATA})">a</p>', '<p style="background:url()">a</p>'),
    "a comment": ("a\n\n<!-- 9999\n\nold -->\n\nb", "a\n\n\n\nb"),
    "a comment in a line": ("a <!-- 9999 --> b", "a  b"),
    "a comment in a list": ("- a <!-- 9999 -->\n- b", "- a \n- b"),
    "a comment in a quote": ("> <!-- 99\n> 99 -->\n> b", "> \n> b"),
    "a comment of a definition": ("a\n\n[//]: # (9999 old)\n\nb", "a\n\n\n\nb"),
    "another one": ('a\n\n[comment]: <> "9999"\n\nb', "a\n\n\n\nb"),
    "a script": ("a\n\n<script>\nlet b = 9999\n\nc()\n</script>\n\nd", "a\n\n\n\nd"),
    "a style": ("<style>p { color: red }</style>\n\na", "\n\na"),
}


@pytest.mark.parametrize(("text", "seen"), UNSEEN.values(), ids=UNSEEN)
def test_what_no_reader_sees_is_no_text_and_offsets_stay_exact(text: str, seen: str) -> None:
    row = parse_markdown(f"# T\n\n{text}\n\nEnd.\n".encode())
    assert_covers(row, f"# T\n\n{seen}\n\nEnd.\n")
    assert any("left out" in reject["message"] for reject in row["rejects"]) == ("image/" in text)


KEPT = {
    "a listing": f"```html\n<!-- 9999 --> <script>x</script> {DATA}\n```",
    "a listing in a list": "- a\n\n  ```\n  <!-- 9999 -->\n  ```",
    "an indented listing": "    <!-- 9999 -->",
    "code in a line": "Write `<!-- 9999 -->` or ``a ` <script>x</script>``.",
    "an escaped comment": r"Write \<!-- 9999 -->.",
    "a comment without an end": "a <!-- 9999\n\nb",
    "a comment over two paragraphs": "a <!-- 99\n\n99 --> b",
    "a script without an end": "a <script> b",
    "words": "The data: image, text. See data:URIs and [data](/data:x).",
    "a footnote": "a[^1]\n\n[^1]: See the data: 12.",
    "a definition": "[a]\n\n[a]: http://x.test/ (title)",
}


@pytest.mark.parametrize("text", KEPT.values(), ids=KEPT)
def test_everything_else_stays_as_written(text: str) -> None:
    row = parse_markdown(text.encode())
    assert_covers(row, text)
    assert row["rejects"] == []


PIECES = st.sampled_from(
    [
        "a",
        "`",
        "```\n",
        "<!--",
        "-->",
        "\n\n",
        "- ",
        "> ",
        "    ",
        "<script>",
        "</script>",
        f"![b]({DATA})",
        "\\",
        "| a |\n|---|\n",
        "$$\n",
    ]
)


@given(st.lists(PIECES, max_size=15))
def test_spans_are_exact_in_any_text(pieces: list[str]) -> None:
    row = parse_markdown(f"x{''.join(pieces)}".encode())
    assert_covers(row, row["text"] or "")


EQUATIONS = {
    "$$\na\n=\nb + c\n$$": "$$\na\n=\nb + c\n$$",
    "$$\nx_1\n- y\n$$": "$$\nx_1\n- y\n$$",
    "$$ a\n---\n$$": "$$ a\n---\n$$",
    "$$a = b$$": "$$a = b$$",
    "$$\n# a\n\n* b\n$$": "$$\n# a\n\n* b\n$$",
    "- c\n\n  $$\n  a\n  =\n  $$": "$$\n  a\n  =\n  $$",
    "> $$\n> a\n> =\n> $$": "> $$\n> a\n> =\n> $$",
    "words\n$$\na\n=\n$$": "$$\na\n=\n$$",
}


@pytest.mark.parametrize(("text", "equation"), EQUATIONS.items())
def test_signs_in_displayed_equations_are_no_markup(text: str, equation: str) -> None:
    elements = parse_markdown(text.encode())["elements"]
    assert [element["text"] for element in elements if element["kind"] == "equation"] == [equation]
    assert "heading" not in [element["kind"] for element in elements]


@pytest.mark.parametrize("text", ["$$5 and $$6", "$$\na\n\nb", "a $$ b\n===", "    $$\n    a\n    $$"])
def test_other_dollars_are_no_equation(text: str) -> None:
    assert "equation" not in [element["kind"] for element in parse_markdown(text.encode())["elements"]]


def test_markup_in_cells_of_pipe_tables_is_read() -> None:
    text = "| a | b |\n|---|---|\n| one<br>two | 10<sup>6</sup> `<br>` |\n"
    (table,) = parse_markdown(text.encode())["elements"]
    assert "<td>one two</td><td>10^6 &lt;br&gt;</td>" in (table["html"] or "")
    assert table["text"] == text.strip(), "as it was written"
