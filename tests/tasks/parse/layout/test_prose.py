import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.file_tools.rendering import render_as_markdown
from tasks.parse.elements.from_regions import element
from tasks.parse.layout.prose import clean, join_lines, spelled_in


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
    assert join_lines(["in Latin-", "9 and SHA-", "256"]) == "in Latin-9 and SHA-256"
    assert join_lines(["漢字", "かな"]) == "漢字かな"
    assert join_lines(["", "a", " ", "b "]) == "a b"
    assert join_lines(["a soft\u00ad", "ened hy\u00ad"]) == "a softened hy-"


@pytest.mark.parametrize(
    ("lines", "joined"),
    [
        ("2019-|2023", "2019-2023"),
        ("6-methyl-5-|hepten-2-one", "6-methyl-5-hepten-2-one"),
        ("held n-|tridecanal", "held n-tridecanal"),
        ("held (n-|tridecanal)", "held (n-tridecanal)"),
        ("call +47 555-|0199", "call +47 555-0199"),
        ("ISO 9001-|2015, pages 12-|14", "ISO 9001-2015, pages 12-14"),
        ("a 5-|year lease", "a 5-year lease"),
        ("the T-|shaped pier", "the T-shaped pier"),
        ("a USB-|stick", "a USB-stick"),
        ("from 2019\u2013|2023", "from 2019\u20132023"),
        ("the end \u2013|and more", "the end \u2013 and more"),
        ("the end -|and more", "the end - and more"),
        ("held n\u2010|tridecanal since 2019\u2010|2023", "held n\u2010tridecanal since 2019\u20102023"),
        ("2\u00ad|methyl", "2methyl"),
        ("l'\u00ad|eau", "l'eau"),
        ("pre-|and post-war", "pre- and post-war"),
        ("19-|und 20-j\u00e4hrig", "19- und 20-j\u00e4hrig"),
        ("write to jean-|luc@kelp.org", "write to jean-luc@kelp.org"),
        ("see www.kelp-|bed.org", "see www.kelp-bed.org"),
        ("a thou-|sand com-|puters", "a thousand computers"),
    ],
)
def test_hyphens_at_line_ends_stay_where_a_word_has_them(lines: str, joined: str) -> None:
    assert join_lines(lines.split("|")) == joined


def test_a_hyphen_stays_in_a_word_that_is_spelled_with_it_elsewhere() -> None:
    known = spelled_in(["Blood-feeding", "flies,", "hyphen-"])
    assert join_lines(["and blood-", "feeding flies hyphen-", "ated"], known) == "and blood-feeding flies hyphenated"


@given(st.integers(0, 99999), st.sampled_from("-\u2010\u2013"), st.integers(0, 99999))
def test_no_range_of_figures_is_torn_or_changed(first: int, dash: str, last: int) -> None:
    assert join_lines([f"from {first}{dash}", f"{last} on"]) == f"from {first}{dash}{last} on"


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
    assert render_as_markdown(elements, furniture=False) == expected
    assert render_as_markdown(elements, furniture=True) == expected + "\n7\n"
    assert render_as_markdown([], furniture=True) == ""


def test_only_headings_are_lines_of_hashes() -> None:
    elements = [
        element(1, "paragraph", "# a comment\n## another\n#hash"),
        element(1, "code", "# code"),
        element(1, "caption", "#"),
    ]
    assert render_as_markdown(elements, furniture=False) == "\\# a comment\n\\## another\n#hash\n\n```\n# code\n```\n\n\\#\n"
