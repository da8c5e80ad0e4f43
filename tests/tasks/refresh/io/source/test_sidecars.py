from pathlib import Path

import pytest

from schemas.errors import InputError
from tasks.refresh.io.source.sidecars import read_sidecars

COLUMNS = {"year": "int", "public": "bool", "day": "date"}


def test_values_of_declared_columns_get_their_types_and_others_stay_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "metadata.csv").write_text("path,year,public,day,note\na.pdf,2023,yes,2023-05-01,hello\n")
    (tmp_path / "sub/metadata.jsonl").write_text('{"path": "b.pdf", "year": 2021.0, "tags": ["x"]}\n\n')
    found = read_sidecars(tmp_path, ["metadata.csv", "sub/metadata.jsonl"], COLUMNS)
    assert found == {
        "a.pdf": {"year": 2023, "public": True, "day": "2023-05-01", "note": "hello"},
        "sub/b.pdf": {"year": 2021, "tags": ["x"]},
    }


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("metadata.csv", "path,year\na.pdf,soon\n", "metadata.csv line 2: year is 'soon', which is not of type int"),
        ("metadata.csv", "path,public\na.pdf,maybe\n", "line 2: public is 'maybe'"),
        ("metadata.csv", "path,year\na.pdf\n", "line 2 does not have as many fields"),
        ("metadata.csv", "year\n2023\n", "line 2 has no path"),
        ("metadata.jsonl", '{"path": "a"}\n{"path"', "metadata.jsonl line 2 is not JSON"),
        ("metadata.jsonl", "[1]\n", "line 1 is not an object"),
        ("metadata.jsonl", '{"path": "a", "day": "1.5.2023"}\n', "line 1: day is"),
    ],
)
def test_what_does_not_fit_is_named_by_file_and_line(tmp_path: Path, name: str, content: str, message: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match=message):
        read_sidecars(tmp_path, [name], COLUMNS)


def test_empty_values_are_no_values(tmp_path: Path) -> None:
    (tmp_path / "metadata.csv").write_text("path,year,note\na.pdf,,\n")
    assert read_sidecars(tmp_path, ["metadata.csv"], COLUMNS) == {"a.pdf": {}}


def test_a_sidecar_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    (tmp_path / "metadata.csv").write_bytes(b"path\n\xff\n")
    with pytest.raises(InputError, match="UTF-8"):
        read_sidecars(tmp_path, ["metadata.csv"], COLUMNS)
