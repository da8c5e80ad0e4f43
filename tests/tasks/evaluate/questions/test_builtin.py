import pytest

from tasks.evaluate.questions.builtin import TextElement, make_builtin_questions, make_cell_questions, make_cloze_questions
from tasks.evaluate.questions.contexts import remove_white_space
from tasks.evaluate.questions.generated import Document, GeneratedQuestion, find_question_problem, finish_question

TABLE = """\
| | Three Months Ended | | Year |
|---|---|---|---|
| | July, 2023 | June | 2022 |
| Sales: | | | |
| Phones | 5 | 6 | 7 |
| Pads | 8 | | 9 |"""
PARTS = [
    ("heading", "# The mill", []),
    ("paragraph", "The mill was built in 1804 by the Brattness Company, and a flood took its wheel.", ["The mill"]),
    ("heading", "## Care", ["The mill"]),
    ("paragraph", "Grease the shaft every month, and whenever the wheel has stood still for long.", ["The mill", "Care"]),
    ("caption", "Figure 2: Rain in the valley. Source: the county.", ["The mill", "Care"]),
    ("paragraph", "Table 1. Results by year", ["The mill", "Care"]),
    ("table", TABLE, ["The mill", "Care"]),
]


def document_of(parts: list[tuple[str, str, list[str]]], title: str = "Guide") -> tuple[Document, list[TextElement]]:
    text, elements = "", list[TextElement]()
    for position, (kind, words, section) in enumerate(parts):
        start = len(text)
        end = start + len(words)
        elements.append(
            TextElement(kind=kind, text=words, section=section, start_char=start, end_char=end, position=position, joined_by=None)
        )
        text += words + "\n\n"
    return Document("d", "sub/guide.md", title, text), elements


def made_from(parts: list[tuple[str, str, list[str]]]) -> tuple[Document, dict[str, GeneratedQuestion]]:
    document, elements = document_of(parts)
    return document, {one.question: one for one in make_builtin_questions(document, elements, 30, 0)}


def test_every_kind_of_question_is_readable_and_has_its_gold() -> None:
    document, made = made_from(PARTS)
    golds = {question: (document.text[slice(*one.gold)], one.answer, one.origin) for question, one in made.items()}
    assert golds == {
        "What is the value of “Phones” for “Three Months Ended, June” in the table “Results by year” of “Guide”?": (
            "| Phones | 5 | 6 | 7 |",
            "6",
            "generated: table cell",
        ),
        "What is the value of “Pads” for “Three Months Ended, July, 2023” in the table “Results by year” of “Guide”?": (
            "| Pads | 8 | | 9 |",
            "8",
            "generated: table cell",
        ),
        "What does “Guide” say about “The mill”?": (PARTS[1][1], None, "generated: heading"),
        "What does “Guide” say about “Care” under “The mill”?": (PARTS[3][1], None, "generated: heading"),
        "Which number fills the gap in “The mill was built in ____ by the Brattness Company, and a flood took its wheel.”?": (
            PARTS[1][1],
            "1804",
            "generated: cloze",
        ),
        "Which word fills the gap in “Grease the shaft every month, and ____ the wheel has stood still for long.”?": (
            PARTS[3][1],
            "whenever",
            "generated: cloze",
        ),
        "Which figure of “Guide” shows “Rain in the valley”?": (PARTS[4][1], "Figure 2", "generated: caption"),
    }


def test_the_kinds_take_turns() -> None:
    document, elements = document_of(PARTS)
    origins = [one.origin.partition(": ")[2] for one in make_builtin_questions(document, elements, 30, 0)]
    assert origins == ["table cell", "heading", "cloze", "caption", "table cell", "heading", "cloze"]
    assert len(make_builtin_questions(document, elements, 1, 0)) == 4


def test_a_document_without_structure_has_questions_of_its_sentences_only() -> None:
    _, made = made_from([("paragraph", "Her brother Nathan came home from the sea before winter.", [])])
    (one,) = made.values()
    assert (one.question, one.answer) == (
        "Which name fills the gap in “Her brother ____ came home from the sea before winter.”?",
        "Nathan",
    )


@pytest.mark.parametrize("order", [1, -1])
def test_the_gold_of_a_caption_includes_the_figure_whose_text_repeats_it(order: int) -> None:
    caption, described = "Fig. 8.7a Gazelle horns of weavers", "Photograph. Caption: Fig. 8.7a Gazelle horns of weavers."
    parts: list[tuple[str, str, list[str]]] = [("figure", described, []), ("caption", caption, [])]
    document, found = made_from([*parts[::order], ("figure", "Map.", [])])
    (one,) = found.values()
    assert (one.question, one.answer) == ("Which figure of “Guide” shows “Gazelle horns of weavers”?", "Figure 8.7a")
    assert {caption, described} == set(document.text[slice(*one.gold)].split("\n\n"))
    assert find_question_problem(one, document, remove_white_space(document.text)) is None


@pytest.mark.parametrize(
    "words", ["", "Too short.", "no capital letter begins this sentence of many words.", "It is all as it was and so on it is."]
)
def test_sentences_that_nobody_could_ask_about_are_left_out(words: str) -> None:
    document = Document("d", "a.txt", "", words)
    assert list(make_cloze_questions(document, [(0, len(words))])) == []


@pytest.mark.parametrize(
    "table",
    [
        "no table at all",
        "| a | b |\n|---|---|",
        "| | |\n|---|---|\n| Sales | 5 |",
        "| a | b |\n|---|---|\n| 12 | 5 |",
        "| a | b |\n|---|---|\n| Sales | — |",
        "| a | 2 |\n|---|---|\n| Sales | 5 |",
        "| a | b |\n|---|---|\n| Sales | 1 |\n| Sales | 2 |",
        "| a | b | b |\n|---|---|---|\n| Sales | 1 | 2 |",
    ],
)
def test_cells_without_one_name_of_row_and_column_are_left_out(table: str) -> None:
    assert list(make_cell_questions(Document("d", "a.md", "", table), (0, len(table)), "t", 0)) == []


def made(question: str, gold: tuple[int, int]) -> GeneratedQuestion:
    return GeneratedQuestion("law/a.txt", question, gold, "x", "generated: test")


DOCUMENT = Document("d", "law/a.txt", " ", "The heron\nwaits. The heron waits. The crane sleeps.")


@pytest.mark.parametrize(
    ("question", "gold", "reason"),
    [
        ("Who waits there?", (0, 16), "the answer stands 2 times in the document: 'The heron waits.'"),
        ("Who sleeps there", (34, 51), "ends with a question mark"),
        ("Who?", (34, 51), "not a question of 10 to 400 characters"),
        ("Who sleeps in this passage?", (34, 51), "speaks of its passage"),
        ("Who sleeps there?", (33, 34), "the answer stands 0 times"),
    ],
)
def test_a_question_that_cannot_be_used_is_refused(question: str, gold: tuple[int, int], reason: str) -> None:
    found = find_question_problem(made(question, gold), DOCUMENT, remove_white_space(DOCUMENT.text))
    assert found is not None
    assert reason in found.reason
    assert (found.place, found.question) == ("law/a.txt", question)


def test_a_question_has_an_id_of_its_words_and_the_domain_of_its_folder() -> None:
    one = finish_question(made("Who sleeps there?", (34, 51)), DOCUMENT, "dev")
    other = finish_question(made("Who sleeps where?", (34, 51)), DOCUMENT, "dev")
    assert find_question_problem(made("Who sleeps there?", (34, 51)), DOCUMENT, remove_white_space(DOCUMENT.text)) is None
    assert (one.domain, one.split, one.gold[0].quote, one.origin) == ("law", "dev", "The crane sleeps.", "generated: test")
    assert one.id.startswith("g-") and one.id != other.id
    assert (DOCUMENT.name, DOCUMENT._replace(path="b").name, DOCUMENT._replace(title="T ").name) == ("a", "b", "T")
    assert [DOCUMENT._replace(title=title).name for title in ("2", "a.txt")] == ["a", "a"]
