from tasks.parse.layout.geometry import grown, union
from tasks.parse.layout.regions import Region
from tasks.parse.layout.rules import NO_RULES, Rule, Rules
from tasks.parse.layout.words import Word
from tasks.parse.tables.spaced.loose import column_as_text, listing_as_text
from tests.tasks.parse.layout.pages import with_tables
from tests.tasks.parse.tables.spaced.test_aligned import beside
from tests.tasks.parse.tables.spaced.test_reader import letters

NAMES, SAID = ["d.bar", "d.graph", "legend"], ["Shows a bar", "Draws lines between points", "Prints it all"]
TEXTS = [word for n, text in enumerate(SAID) for word in letters(text, 90, 20 + 16 * n)]


def as_text(region: Region, words: list[Word], rules: Rules) -> Region:
    return column_as_text(listing_as_text(region, words, rules), words, rules)


def seen(words: list[Word]) -> Region:
    return Region(grown(union(word.box for word in words), 1, 1), "table", spaced=True)


def test_a_table_of_one_column_is_text_unless_rules_part_it() -> None:
    table = seen(TEXTS)
    assert as_text(table, TEXTS, NO_RULES).kind == "paragraph"
    assert as_text(table, TEXTS, Rules((Rule(33, 80, 300),))) == table
    assert as_text(table, TEXTS, Rules(bands=((80, 25, 300, 40),))) == table
    behind_all = tuple((80.0, y - 2, 300.0, y + 14) for y in (20.0, 36.0, 52.0))
    assert as_text(table, TEXTS, Rules(bands=behind_all)).kind == "paragraph"
    whole = beside(0, NAMES, 90, SAID)
    assert as_text(seen(whole), whole, NO_RULES) == seen(whole)


def test_a_list_of_contents_stays_one_whose_lines_are_entries() -> None:
    lines = [f"{text} ........................ {n + 1}" for n, text in enumerate((*SAID, "Draws it anew"))]
    words = [word._replace(line=n) for n, line in enumerate(lines) for word in letters(line, 0, 20 + 16 * n)]
    assert as_text(seen(words), words, NO_RULES) == seen(words)


def test_names_beside_a_table_of_their_texts_are_a_table_with_them() -> None:
    words = beside(0, NAMES, 90, SAID)
    names = Region(union(word.box for word in words if word.box[0] < 80), "paragraph")
    (found,) = with_tables(words, [names, seen(TEXTS)], NO_RULES)
    assert (found.kind, found.box) == ("table", grown(union(word.box for word in words), 1, 1))
