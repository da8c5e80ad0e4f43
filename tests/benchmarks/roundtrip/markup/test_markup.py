"""What the typesetters are told has all words of a source, in its order."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from benchmarks.roundtrip.drawn import drawn_sources
from benchmarks.roundtrip.markup import latex_markup, office_styles, typst_markup
from benchmarks.roundtrip.markup.look import look_of
from benchmarks.roundtrip.markup.tree import parse_body
from benchmarks.roundtrip.markup.walk import Markup
from benchmarks.roundtrip.source import Source
from benchmarks.roundtrip.styles import STYLES, Style
from benchmarks.roundtrip.typeset.latex import LATEX
from benchmarks.roundtrip.typeset.office import OFFICE
from benchmarks.roundtrip.typeset.typst import TYPST

SOURCES = [source for source in drawn_sources("train") if source.name.endswith(("-1", "-2"))]
WIDE = {
    name: next(style for style in STYLES if style.typesetter == name and style.columns == 1)
    for name in ("typst", "latex", "office")
}


def letters(text: str) -> str:
    return re.sub(r"[\W_]", "", text)


def words(source: Source) -> list[str]:
    return [letters(word) for word in " ".join(parse_body(source.body).itertext()).split() if letters(word)]


def in_order(wanted: list[str], text: str) -> bool:
    at = 0
    for word in wanted:
        at = text.find(word, at) + len(word)
        if at < len(word):
            return False
    return True


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_an_office_text_is_sound_and_says_all_words_in_order(source: Source) -> None:
    document = office_styles.document(Markup(source.name, source.body, look_of(WIDE["office"]), OFFICE), source)
    root = etree.fromstring(document.encode())
    texts = root.xpath("//*[local-name()='text']//text()[not(ancestor::*[local-name()='binary-data'])]")
    if "footnotes" not in source.name:
        assert in_order(words(source), letters("".join(texts)))


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_typst_is_told_all_words_in_order(source: Source) -> None:
    document = typst_markup.document(Markup(source.name, source.body, look_of(WIDE["typst"]), TYPST), source)
    assert in_order(words(source), letters(document))


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_latex_is_told_all_words_in_order_and_its_braces_are_paired(source: Source) -> None:
    document = latex_markup.document(Markup(source.name, source.body, look_of(WIDE["latex"]), LATEX), source)
    assert in_order(words(source), letters(document))
    bare = re.sub(r"\\[\\{}]", "", document)
    assert bare.count("{") == bare.count("}")


@given(text=st.text(st.characters(codec="ascii", categories=["P", "S", "L", "N", "Zs"]), max_size=30))
def test_text_of_any_signs_means_itself_in_typst(text: str) -> None:
    assert re.sub(r"\\(.)", r"\1", typst_markup.escape(text)) == text


@pytest.mark.parametrize("style", [style for style in STYLES if style.typesetter in WIDE], ids=lambda style: style.name)
def test_a_look_holds_what_the_style_says(style: Style) -> None:
    look = look_of(style)
    assert 0 < look.width() < look.page[0] and 0 < look.height() < look.page[1]
    assert all(0.5 <= size <= 4 for size in look.headings)
    assert not look.band or look.band.startswith("#")


def test_a_table_that_no_page_can_hold_is_refused() -> None:
    cells = "".join(f"<td>{'unbreakable' * 4}</td>" for _ in range(8))
    with pytest.raises(ValueError, match="8 columns"):
        Markup("wide", f"<table><tr>{cells}</tr></table>", look_of(WIDE["typst"]), TYPST)
