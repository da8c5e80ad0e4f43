import pytest

from tasks.parse.layout.regions import Region
from tasks.parse.layout.rules import NO_RULES, Rule, Rules
from tasks.parse.layout.words import Word
from tasks.parse.tables.captioned import captioned
from tests.tasks.parse.layout.pages import a_row, a_sentence

CAPTION = Region((0, 0, 200, 12), "caption")
BODY = Region((0, 20, 200, 76), "paragraph")
ROWS = [*a_row(22, "Name", "Count"), *a_row(42, "a", "1"), *a_row(62, "b", "2")]
BETWEEN = Rules((Rule(18, -5, 205), Rule(38, -5, 205), Rule(78, -5, 205)), ())


def found(label: str, words: list[Word], rules: Rules, *regions: Region) -> list[Region]:
    words = [*a_sentence(label, 0, 1), *words]
    return [region for region in captioned(words, [CAPTION, *regions], rules) if region.kind == "table"]


def test_text_between_rules_below_the_label_of_a_table_is_a_table_of_its_columns() -> None:
    table = found("Table 2: Names", ROWS, BETWEEN, BODY)[0]
    assert table.box == (-5, 18, 205, 78)
    assert table.spaced


def test_short_lines_between_three_rules_are_a_table_of_one_column() -> None:
    words = [*a_row(22, "Name"), *a_row(42, "Astra"), *a_row(62, "Cema")]
    assert len(found("Table 2", words, BETWEEN, BODY)) == 1


@pytest.mark.parametrize("kind", ["paragraph", "figure"])
def test_aligned_text_below_the_label_of_a_table_is_a_table(kind: str) -> None:
    assert len(found("Table 2. Names", ROWS, NO_RULES, Region(BODY.box, kind))) == 1


def test_sentences_and_other_labels_make_no_table() -> None:
    for label in ("Table 2 shows names", "Figure 2: Names", "Tables are names"):
        assert found(label, ROWS, BETWEEN, BODY) == []


def test_prose_below_the_label_of_a_table_stays_a_paragraph() -> None:
    words = [word for y in (22, 42, 62) for word in a_sentence("what is said of names in the text of the page", 0, y)]
    assert found("Table 2", words, BETWEEN, BODY) == []


def test_a_table_grows_up_to_the_rule_below_its_label() -> None:
    seen = Region((0, 40, 200, 76), "table")
    assert [table.box for table in found("Table 2", ROWS, BETWEEN, seen)] == [(0, 18, 200, 76)]
