"""The columns that lineage tells of are those of the tables, and it knows what each suite judges."""

from expectations.sentences import WORDS
from schemas.tables.chunks import make_chunks_schema
from schemas.tables.documents import make_documents_schema
from schemas.tables.elements import ELEMENTS
from schemas.tables.figures import FIGURES
from schemas.tables.generations import VERSIONED
from schemas.tables.rejects import REJECTS
from tasks.observe.lineage import COLUMN_LINEAGE, JUDGED, SOURCE, SOURCE_COLUMNS

TABLES = (make_documents_schema({}), ELEMENTS, FIGURES, make_chunks_schema(8, {}), REJECTS)
COLUMNS = {SOURCE: SOURCE_COLUMNS.names, **{name: schema.names for name, schema in zip(VERSIONED, TABLES, strict=True)}}


def test_every_column_of_the_lineage_is_one_of_its_table() -> None:
    assert set(COLUMN_LINEAGE) == set(VERSIONED)
    for table, columns in COLUMN_LINEAGE.items():
        assert set(columns) <= set(COLUMNS[table])
        for origins in columns.values():
            assert [(one, name) for one, names in origins.items() for name in names if name not in COLUMNS[one]] == []


def test_every_suite_judges_a_table() -> None:
    assert set(JUDGED) == {suite for suite, _, _ in WORDS} and set(JUDGED.values()) <= set(VERSIONED)
