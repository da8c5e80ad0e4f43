import pyarrow as pa
import pytest

from schemas.errors import InputError
from schemas.options.search import CONDITION_CHARS
from tasks.search.conditions.parse import DEPTH, parse_condition
from tasks.search.conditions.reader import PATTERNS, WILDCARDS

COLUMNS = {
    "path": pa.string(),
    "n_pages": pa.int32(),
    "Score": pa.float64(),
    "open": pa.bool_(),
    "day": pa.date32(),
    "section": pa.list_(pa.string()),
    "boxes": pa.list_(pa.struct({"x": pa.int32()})),
    "vector": pa.list_(pa.float32(), 2),
    "in": pa.string(),
    "date": pa.string(),
}


def sql(where: str) -> str:
    return parse_condition(where, COLUMNS, "the columns are these").sql


@pytest.mark.parametrize(
    ("where", "written"),
    [
        ("PATH=='a' and score!=1", "`path` = 'a' AND `Score` <> 1.0"),
        ("3<n_pages", "`n_pages` > 3"),
        ("not 3<=n_pages", "`n_pages` < 3"),
        ("(open or (not open)) and ((open))", "(`open` OR NOT `open`) AND `open`"),
        ("open and (open and not (open or path is null))", "`open` AND `open` AND NOT `open` AND `path` IS NOT NULL"),
        ("not not path not in ('a')", "`path` NOT IN ('a')"),
        ("not path not like 'a%'", "`path` LIKE 'a%'"),
        ("not (n_pages between 1 and 2 or path ilike 'X')", "`n_pages` NOT BETWEEN 1 AND 2 AND `path` NOT ILIKE 'X'"),
        ("day >= '2024-05-31' or day = date '2024-01-01'", "`day` >= date '2024-05-31' OR `day` = date '2024-01-01'"),
        ("NOT array_contains(section, 'it''s')", "NOT array_has(`section`, 'it''s')"),
        ("`in` = 'a' and date = 'b' and 'c' > \"date\"", "`in` = 'a' AND `date` = 'b' AND `date` < 'c'"),
        ("not false and path <> date", "true AND `path` <> `date`"),
        (r"path LIKE '100\%\_\\'", r"`path` LIKE '100\%\_\\'"),
    ],
)
def test_a_condition_is_written_anew(where: str, written: str) -> None:
    assert sql(where) == written


@pytest.mark.parametrize(
    ("where", "message"),
    {
        "colour = 'red'": "character 1 ('colour'): no such column: the columns are these",
        "path = 'a' AND": "character 15 (where it ends): write comparisons such as year = 2023",
        "path = 'a": 'character 8 ("\'"): close this quote',
        "path = 5": "character 8 ('5'): path is compared with text in single quotes",
        "n_pages = 2.5": "character 11 ('2.5'): n_pages is compared with a whole number of 32 bits",
        "n_pages > 2147483648": "n_pages is compared with a whole number of 32 bits",
        f"n_pages > {'9' * 5000}": "n_pages is compared with a whole number of 32 bits",
        "score > 1e999": "Score is compared with a number",
        "open = 1": "open is compared with true or false",
        "day > '2024-02-30'": "day is compared with a date, such as '2024-05-31'",
        "day > path": "character 7 ('path'): day is compared with a date",
        "path = null": "character 8 ('null'): NULL is compared with IS NULL or IS NOT NULL",
        "path IN ('a', NULL)": "NULL is compared with IS NULL or IS NOT NULL",
        "path IN ()": "character 10 (')')",
        "section = 'a'": "section is compared with array_has(column, value)",
        "section = section": "section is compared with array_has(column, value)",
        "array_has(path, 'a')": "character 11 ('path'): path holds no lists",
        "boxes IS NULL": "boxes has no values that can be compared",
        "vector IS NULL": "vector has no values that can be compared",
        "lower(path) = 'a'": "character 1 ('lower'): there are no functions but array_has",
        "path LIKE n_pages": "character 11 ('n_pages'): LIKE compares a column of text with a pattern",
        "n_pages LIKE '1%'": "LIKE compares a column of text with a pattern",
        r"path LIKE 'a\b'": r"in a pattern \ stands before %, _ or \ to mean just that character",
        " OR ".join(["path LIKE 'a'"] * (PATTERNS + 1)): f"at most {PATTERNS} LIKE",
        f"path LIKE '{'_' * (WILDCARDS + 1)}'": f"at most {PATTERNS} LIKE, and {WILDCARDS} _",
        f"{'(' * (DEPTH + 1)}open{')' * (DEPTH + 1)}": f"character {DEPTH + 1} ('('): parentheses and NOT",
        f"{'NOT ' * 2000}open": f"nested more than {DEPTH} deep",
        "open" + " " * CONDITION_CHARS: "the condition has 10,004 characters: at most 10,000 are read",
        " ": "the condition is empty",
        "path = '\udcff'": "the condition is not UTF-8",
        "path IS NOT 5": "NULL must stand here",
        "1 = 1": "character 5 ('1')",
        "path": "character 5 (where it ends)",
        "not": "character 4 (where it ends)",
        "date '2024-01-01'": "write comparisons",
    }.items(),
)
def test_what_is_not_understood_is_refused_with_its_place_and_what_to_write(where: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        sql(where)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 700, "however long the condition is"


def test_the_columns_that_are_read_are_known() -> None:
    assert parse_condition("PATH = 'a' or not (open)", COLUMNS, "").columns == {"path", "open"}
