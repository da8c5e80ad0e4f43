from hypothesis import given
from hypothesis import strategies as st

from schemas import records
from schemas.records import BBox, Element
from tasks.file_tools.rendering import render_as_markdown
from tasks.parse.elements.from_regions import element
from tasks.parse.layout.geometry import Box
from tasks.parse.layout.words import Word
from tasks.parse.pdf.links import Link, as_links, with_links

BOX: BBox = {"x0": 0.0, "y0": 0.0, "x1": 300.0, "y1": 100.0}
WORDS = st.text("ab .", min_size=1, max_size=4)


def a_word(text: str, x: float, line: int) -> Word:
    return Word((x, 20.0 * line, x + 8 * len(text), 20.0 * line + 10), text, 0, line)


def around(*words: Word) -> Box:
    return words[0].box[0] - 1, words[0].box[1] - 1, words[-1].box[2] + 1, words[-1].box[3] + 1


SEE, THE, RULES, OF, KELP = (
    *(a_word("See", 0, 0), a_word("the", 40, 0), a_word("rules", 80, 0)),
    *(a_word("of", 0, 1), a_word("kelp.", 40, 1)),
)
PARAGRAPH = element(1, "paragraph", "See the rules of kelp.", bbox=BOX)


@given(st.text("ab .", max_size=20), st.lists(st.builds(lambda text: {"text": text, "uri": "https://c.d"}, WORDS), max_size=4))
def test_links_add_brackets_and_addresses_and_change_no_word(text: str, links: list[records.Link]) -> None:
    shown = as_links(text, links)
    assert shown.replace("](https://c.d)", "").replace("[", "") == text


def test_words_keep_the_address_that_they_lead_to() -> None:
    links = [Link("https://kelp.org/", around(THE, RULES)), Link("mailto:a@b", around(KELP))]
    [(found, _)] = with_links([(PARAGRAPH, 10.0)], [SEE, THE, RULES, OF, KELP], links)
    assert found["links"] == [{"text": "the rules", "uri": "https://kelp.org/"}, {"text": "kelp.", "uri": "mailto:a@b"}]
    assert render_as_markdown([found], False, links=True) == "See [the rules](https://kelp.org/) of [kelp.](mailto:a@b)\n"
    assert render_as_markdown([found], False) == "See the rules of kelp.\n"


def test_a_link_over_two_lines_is_one() -> None:
    links = [Link("https://kelp.org/", around(RULES)), Link("https://kelp.org/", around(OF, KELP))]
    [(found, _)] = with_links([(PARAGRAPH, 10.0)], [SEE, THE, RULES, OF, KELP], links)
    assert found["links"] == [{"text": "rules of kelp.", "uri": "https://kelp.org/"}]


def test_furniture_and_places_without_words_have_no_links() -> None:
    links = [Link("https://kelp.org/", (200.0, 50.0, 220.0, 60.0)), Link("https://kelp.org/", (900.0, 0.0, 990.0, 9.0))]
    furniture: Element = {**PARAGRAPH, "kind": "furniture"}
    assert [e["links"] for e, _ in with_links([(PARAGRAPH, 10.0)], [SEE], links)] == [None]
    assert [e["links"] for e, _ in with_links([(furniture, 10.0)], [SEE], [Link("https://a.b", around(SEE))])] == [None]
