from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.tables.elements import KINDS
from tasks.chunk.sentences import Span
from tasks.chunk.text_blocks import TextBlock, make_text_blocks
from tests.tasks.described import described, element

OF_THE_TEXT = [kind for kind in KINDS if kind != "furniture"]
TABLE = "| Region | 2023 |\n| --- | --- |\n| North | 135 |\n| South | 88 |"


def blocks(*parts: Any, **options: Any) -> list[tuple[str, list[str], list[str], list[str]]]:
    """Return kind, lead, atoms and context of each block, as texts."""
    row = described(*parts, **options)
    text = row["text"]

    def texts(spans: Any) -> list[str]:
        return [text[span[0] : span[1]].strip() for span in spans]

    return [(b.kind, texts(b.lead), texts(b.atoms), texts(b.context)) for b in make_text_blocks(text, row["elements"])]


def covered(text: str, found: list[TextBlock]) -> str:
    return "".join(text[atom.start : atom.end] for block in found for atom in [*block.lead, *block.atoms])


@settings(max_examples=200, deadline=None)
@given(
    text=st.text(alphabet=st.sampled_from("Ab. |-\n\t\r:é\U0001f600"), max_size=120),
    spans=st.lists(st.tuples(st.integers(0, 120), st.integers(0, 40), st.sampled_from(OF_THE_TEXT)), max_size=8),
)
def test_blocks_contain_the_text_in_order_for_any_elements(text: str, spans: list[tuple[int, int, str]]) -> None:
    elements = [element(kind, min(low, len(text)), min(low + n, len(text))) for low, n, kind in spans]
    found = list(make_text_blocks(text, elements))
    assert covered(text, found).strip() == text.strip()
    atoms = [atom for block in found for atom in [*block.lead, *block.atoms]]
    assert all(left.end == right.start for left, right in pairwise(atoms))


def test_front_matter_is_not_part_of_any_block() -> None:
    assert blocks(("furniture", "title: The mill"), ("paragraph", "It runs.")) == [("text", [], ["It runs."], [])]


def test_a_table_takes_the_caption_above_it_and_repeats_caption_and_header() -> None:
    found = blocks(("paragraph", "Before it."), ("caption", "Table 1: Sales"), ("table", TABLE), ("paragraph", "After it."))
    assert [kind for kind, *_ in found] == ["text", "table", "text"]
    assert found[1][2][:3] == ["Table 1: Sales", "| Region | 2023 |", "| --- | --- |"]
    assert found[1][3] == ["| Region | 2023 |\n| --- | --- |", "Table 1: Sales"]


def test_a_caption_between_a_figure_and_a_table_goes_where_its_words_say() -> None:
    figure, table = ("figure", "Bars rise."), ("table", TABLE)
    assert [b[2][-1] for b in blocks(figure, ("caption", "Figure 2. Bars"), table)] == ["Figure 2. Bars", "| South | 88 |"]
    assert [b[2][0] for b in blocks(figure, ("caption", "Table 2. Sales"), table)] == ["Bars rise.", "Table 2. Sales"]
    assert [b[2][0] for b in blocks(figure, ("caption", "Sales"), table)] == ["Bars rise.", "Sales"]


def test_headings_and_a_short_introduction_lead_to_a_table() -> None:
    found = blocks(("paragraph", "Old."), ("heading", "Sales"), ("paragraph", "They were:"), ("table", TABLE))
    assert [(kind, lead) for kind, lead, *_ in found] == [("text", []), ("table", ["Sales", "They were:"])]


def test_a_table_without_a_caption_repeats_the_heading_above_it() -> None:
    header = "| Region | 2023 |\n| --- | --- |"
    alone = blocks(("heading", "Sales"), ("paragraph", "They rose."), ("table", TABLE), ("table", TABLE))
    assert [found[3] for found in alone[1:]] == [[header, "Sales"], [header, "Sales"]]
    named = blocks(("heading", "Sales"), ("caption", "Table 1: By region"), ("table", TABLE))
    assert named[0][3] == [header, "Table 1: By region"]
    assert blocks(("heading", "Sales"), ("code", "x = 1\ny = 2"))[0][3] == []


def test_a_caption_without_a_neighbour_is_prose() -> None:
    assert blocks(("caption", "Table 9"), ("paragraph", "Text.")) == [("text", [], ["Table 9", "Text."], [])]


def test_a_head_of_two_rows_is_repeated_whole() -> None:
    html = "<table><thead><tr><td>a</td></tr><tr><td>b</td></tr></thead><tr><td>1</td></tr></table>"
    assert blocks(("table", "a\nb\n1\n2", {"html": html}))[0][3] == ["a\nb"]
    assert blocks(("table", "a\n1\n2"))[0][3] == ["a"]


def test_a_sentence_continues_in_the_next_paragraph() -> None:
    found = blocks(("paragraph", "It was. The mill that"), ("paragraph", "stood here burned. It did."))
    assert found[0][2] == ["It was.", "The mill that\n\nstood here burned.", "It did."]


def test_markup_between_elements_belongs_to_the_element_after_it() -> None:
    text = "# Head\n\n```\nx = 1\n```\nEnd."
    row = [element("heading", 2, 6, level=1), element("code", 12, 17), element("paragraph", 22, 26)]
    found = list(make_text_blocks(text, row))
    assert [text[b.span[0] : b.span[1]] for b in found] == ["```\nx = 1\n", "```\nEnd."]
    assert text[slice(*found[0].lead[0][:2])] == "# Head\n\n"


def test_elements_without_offsets_are_not_in_the_text() -> None:
    assert [block.kind for block in make_text_blocks("Text.", [element("furniture", None, None)])] == ["text"]
    assert list(make_text_blocks("", [element("furniture", None, None)])) == []


def test_a_long_run_of_prose_is_given_in_several_blocks_each_made_when_it_is_asked_for() -> None:
    sentence = "The mill stands. "
    text, seen = sentence * 1000, 0

    def split(text: str, start: int, end: int) -> Iterator[Span]:
        nonlocal seen
        for at in range(start, end, len(sentence)):
            seen = at
            yield at, at + len(sentence)

    found = make_text_blocks(text, [], split=split)
    first = next(found)
    assert first.span[1] <= seen < len(text) / 2
    assert covered(text, [first, *found]) == text
