from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.elements.from_regions import element
from tasks.parse.layout.prose import clean, join_lines
from tasks.single.rendering import as_markdown


@given(st.text(alphabet=st.characters()))
def test_clean_text_can_be_stored_and_is_clean_already(text: str) -> None:
    cleaned = clean(text)
    cleaned.encode()
    assert "\0" not in cleaned
    assert clean(cleaned) == cleaned


def test_lone_surrogates_become_replacement_characters() -> None:
    assert clean("a\ud800") == "a\ufffd"


def test_lines_are_joined_as_a_reader_would() -> None:
    assert join_lines(["state-of-", "the art"]) == "state-of-the art"
    assert join_lines(["in /usr/lib/dist-", "packages"]) == "in /usr/lib/dist-packages"
    assert join_lines(["in /usr/lib/dist-pack\u2010", "ages"]) == "in /usr/lib/dist-packages"
    assert join_lines(["pages 1-", "2"]) == "pages 1- 2"
    assert join_lines(["in Latin-", "9 and SHA-", "256"]) == "in Latin-9 and SHA-256"
    assert join_lines(["漢字", "かな"]) == "漢字かな"
    assert join_lines(["", "a", " ", "b "]) == "a b"
    assert join_lines(["a soft\u00ad", "ened hy\u00ad"]) == "a softened hy-"


def test_markdown_shows_headings_items_code_and_tables_with_spans() -> None:
    elements = [
        element(1, "heading", "A", level=2),
        element(1, "heading", "# B", level=1),
        element(1, "heading", "B.1\n---", level=2),
        element(1, "list_item", "c"),
        element(1, "list_item", "1. d"),
        element(1, "code", "e"),
        element(1, "table", "| f |", html='<table><tr><td colspan="2">f</td></tr></table>'),
        element(1, "table", "| g |", html="<table><tr><td>g</td></tr></table>"),
        element(1, "furniture", "7"),
        element(1, "figure", ""),
    ]
    expected = '## A\n\n# B\n\n## B.1\n\n- c\n\n1. d\n\n```\ne\n```\n\n<table><tr><td colspan="2">f</td></tr></table>\n\n| g |\n'
    assert as_markdown(elements, furniture=False) == expected
    assert as_markdown(elements, furniture=True) == expected + "\n7\n"
    assert as_markdown([], furniture=True) == ""


def test_only_headings_are_lines_of_hashes() -> None:
    elements = [
        element(1, "paragraph", "# a comment\n## another\n#hash"),
        element(1, "code", "# code"),
        element(1, "caption", "#"),
    ]
    assert as_markdown(elements, furniture=False) == "\\# a comment\n\\## another\n#hash\n\n```\n# code\n```\n\n\\#\n"
