from collections.abc import Sequence

import pytest

from tasks.parse.elements.from_regions import elements_of
from tasks.parse.kinds.listings import apart_from_text, is_typed, with_listings
from tasks.parse.layout.geometry import union
from tasks.parse.layout.regions import Region
from tasks.parse.layout.rules import NO_RULES, Rule, Rules
from tasks.parse.layout.words import Word
from tests.tasks.parse.layout.pages import a_sentence

TEXT = a_sentence("The mill grinds by day and by night and the miller sleeps", 0, 0)


def code(text: str, y: float, x: float = 0) -> list[Word]:
    return [word._replace(mono=True) for word in a_sentence(text, x, y)]


def region(kind: str, words: Sequence[Word]) -> Region:
    return Region(union(word.box for word in words), kind)


HEAD, LINES, TAIL = code("# names of mills", 20), code("[1] upper lower", 35), code("- done", 60)
WORDS = [*TEXT, *HEAD, *LINES, *TAIL]
PIECES = [region("paragraph", TEXT), region("heading", HEAD), region("equation", LINES), region("list_item", TAIL)]


def kinds(words: Sequence[Word], pieces: Sequence[Region], rules: Rules = NO_RULES) -> list[str]:
    return sorted(found.kind for found in with_listings(words, pieces, rules))


def test_the_pieces_of_a_listing_are_one_paragraph() -> None:
    found = with_listings(WORDS, PIECES, NO_RULES)
    assert [other.kind for other in found] == ["paragraph", "paragraph"]
    assert found[1].box == union(piece.box for piece in PIECES[1:])


def test_listings_apart_stay_apart() -> None:
    far = code("[1] upper lower", 200)
    assert kinds([*TEXT, *LINES, *far], [region("paragraph", LINES), region("list_item", far)]) == ["paragraph", "paragraph"]
    ruled = Rules(horizontals=(Rule(50, -5, 200),))
    assert len(with_listings(WORDS, PIECES, ruled)) == 3


def test_pieces_with_other_text_between_them_stay_apart() -> None:
    between = a_sentence("sails", 100, 46)
    pieces = [
        region("paragraph", LINES),
        region("paragraph", between),
        region("paragraph", code("- done and more of it over", 55, 60)),
    ]
    words = [*TEXT, *LINES, *between, *code("- done and more of it over", 55, 60)]
    assert len(with_listings(words, pieces, NO_RULES)) == 3


def test_tables_are_no_listings() -> None:
    assert kinds([*TEXT, *LINES, *TAIL], [region("table", LINES), region("list_item", TAIL)]) == ["paragraph", "table"]


def test_items_with_a_bullet_in_the_type_of_the_text_stay_items() -> None:
    words = [*a_sentence("\u2022", 0, 35), *code("pathlib.Path.link_to()", 35, 10)]
    assert kinds([*TEXT, *words], [region("list_item", words)]) == ["list_item"]


def test_a_page_is_typed_by_the_width_of_its_text() -> None:
    """A sentence of Chinese is one word, so a page that is half of code had few words of text."""
    sentence = a_sentence("此处的源码如下所示", 0, 0)
    listing = [word for n in range(4) for word in code("# a", 20 + 12 * n)]
    assert len(sentence) == 1
    assert is_typed(listing)
    assert not is_typed([*sentence, *listing])
    assert not is_typed([])


def test_a_listing_of_several_lines_within_a_paragraph_is_a_part_of_its_own() -> None:
    title, more = a_sentence("The file of the mill", 0, 8), code("  - grind", 32)
    whole = region("paragraph", [*title, *HEAD, *more, *TAIL])
    below = a_sentence("which is read at the start", 0, 90)
    parts = apart_from_text([*title, *HEAD, *more, *TAIL, *below], [whole, region("paragraph", below)])
    assert [part.box for part in parts] == [union(word.box for word in run) for run in (title, [*HEAD, *more, *TAIL], below)]


def test_one_line_of_a_paragraph_in_fixed_width_type_stays_in_it() -> None:
    before, after = a_sentence("It is done by", 0, 8), a_sentence("and by nothing else", 0, 32)
    for kind, words in (
        ("paragraph", [*before, *HEAD, *after]),
        ("heading", [*before, *HEAD, *LINES]),
        ("paragraph", [*HEAD, *LINES]),
    ):
        assert apart_from_text(words, [region(kind, words)]) == [region(kind, words)]


@pytest.mark.parametrize(
    ("texts", "kind"),
    [
        (["(+ 3 2)", "⇒", "5"], "code"),
        (["⇒", "⊣"], "paragraph"),
        (["•", "(f)", "5"], "paragraph"),
        (["(f", "é", "5)"], "paragraph"),
    ],
)
def test_arrows_that_fixed_width_fonts_lack_are_in_listings_and_other_words_are_not(texts: list[str], kind: str) -> None:
    words = [Word((60.0 + 50 * n, 100.0, 100.0 + 50 * n, 110.0), text, 0, 0, mono=text.isascii()) for n, text in enumerate(texts)]
    apart = [word._replace(line=n) for n, word in enumerate(words)]
    for region in (Region((60.0, 100.0, 300.0, 110.0), "paragraph", words=found) for found in (words, apart)):
        assert [made.element["kind"] for made in elements_of(1, [region], all_mono=False)] == [kind]
