from pathlib import Path

import pytest

from schemas.errors import InputError
from tasks.refresh.io.source.sidecars import read_sidecars
from tasks.store.sources.folder import FolderSource

COLUMNS = {"year": "int", "weight": "float", "public": "bool", "day": "date", "tags": "list<string>"}


def test_values_of_declared_columns_get_their_types_and_others_stay_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "metadata.csv").write_text("path,year,public,day,note,tags\na.pdf,2023,yes,2023-05-01,hello,x; y;x\n")
    (tmp_path / "sub/metadata.jsonl").write_text('{"path": "b.pdf", "year": 2021.0, "tags": ["x"]}\n\n')
    found = read_sidecars(FolderSource(tmp_path), ["metadata.csv", "sub/metadata.jsonl"], COLUMNS)
    assert found == {
        "a.pdf": {"year": 2023, "public": True, "day": "2023-05-01", "note": "hello", "tags": ["x", "y"]},
        "sub/b.pdf": {"year": 2021, "tags": ["x"]},
    }


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("metadata.csv", "path,year\na.pdf,soon\n", "metadata.csv line 2: year is 'soon', which is not of type int"),
        ("metadata.csv", "path,public\na.pdf,maybe\n", "line 2: public is 'maybe'"),
        ("metadata.csv", "path,tags\na.pdf,a;;b\n", "line 2: tags is 'a;;b', which is not of type list<string>"),
        ("metadata.jsonl", '{"path": "a.pdf", "tags": ["a", 1]}\n', "line 1: tags is \\['a', 1\\], which"),
        ("metadata.jsonl", '{"path": "a.pdf", "tags": []}\n', "line 1: tags is \\[\\], which"),
        ("metadata.csv", "path,year\na.pdf\n", "line 2 does not have as many fields"),
        ("metadata.csv", "year\n2023\n", "line 2 has no path"),
        ("metadata.csv", "path,year, Year\na.pdf,1,2\n", "line 1 names year more than once"),
        ("metadata.csv", "path,note,note\na.pdf,1,2\n", "line 1 names note more than once"),
        ("metadata.csv", "sep=;\npath;year\na.pdf;soon\n", "line 3: year is 'soon'"),
        ("metadata.csv", "path|year\na.pdf|2023\n", "line 2 has no path"),
        ("metadata.jsonl", '{"path": "a", "Year": 1, "year": 2}\n', "line 1 names year more than once"),
        ("metadata.jsonl", '{"path": "a"}\n{"path"', "metadata.jsonl line 2 is not JSON"),
        ("metadata.jsonl", "[1]\n", "line 1 is not an object"),
        ("metadata.jsonl", f'{{"path": "a", "b": {"[" * 33}{"]" * 33}}}\n', "line 1 is not JSON that can be kept: it is nested"),
        ("metadata.jsonl", "[" * 100_000, "line 1 is not JSON"),
        ("metadata.jsonl", f'{{"path": "a", "b": {"9" * 5000}}}\n', "line 1 is not JSON"),
        ("metadata.jsonl", '{"path": "a", "b": "\\ud800"}\n', "line 1 is not JSON that can be kept: it holds half"),
        ("metadata.jsonl", f'{{"path": "a", "weight": {"9" * 400}}}\n', "line 1: weight is 9"),
        ("metadata.jsonl", '{"path": "a", "weight": NaN}\n', "line 1: weight is 'NaN'"),
        ("metadata.jsonl", '{"path": "a", "day": "1.5.2023"}\n', "line 1: day is"),
        ("metadata.csv", "path,year\na.pdf,1\na.pdf,\n./a.pdf,2\n", "line 4 says that year of ./a.pdf is 2, and line 2 says 1"),
    ],
)
def test_what_does_not_fit_is_named_by_file_and_line(tmp_path: Path, name: str, content: str, message: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match=message):
        read_sidecars(FolderSource(tmp_path), [name], COLUMNS)


def test_empty_values_are_no_values(tmp_path: Path) -> None:
    (tmp_path / "metadata.csv").write_text("path,year,note\na.pdf,,\n")
    assert read_sidecars(FolderSource(tmp_path), ["metadata.csv"], COLUMNS) == {"a.pdf": {}}


def test_a_sidecar_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    (tmp_path / "metadata.csv").write_bytes(b"path\n\xff\n")
    with pytest.raises(InputError, match="UTF-8"):
        read_sidecars(FolderSource(tmp_path), ["metadata.csv"], COLUMNS)


@pytest.mark.parametrize(
    "content",
    [
        "path,year\na.pdf,2023\n",
        "path, year\na.pdf,2023\n",
        "Path,Year\na.pdf,2023\n",
        " PATH ,YEAR \na.pdf, 2023\n",
        "\ufeffpath,year\na.pdf,2023\n",
        "path;year\na.pdf;2023\n",
        "year;path\n2023;a.pdf\n",
        "path\tyear\na.pdf\t2023\n",
        "sep=;\npath;year\na.pdf;2023\n",
        "sep=,\r\npath,year\r\na.pdf,2023\r\n",
        "SEP=\t\npath\tyear\na.pdf\t2023\n",
        '"path";"year"\n"a.pdf";"2023"\n',
    ],
)
def test_a_table_is_read_however_a_spreadsheet_wrote_it(tmp_path: Path, content: str) -> None:
    (tmp_path / "metadata.csv").write_text(content)
    assert read_sidecars(FolderSource(tmp_path), ["metadata.csv"], COLUMNS) == {"a.pdf": {"year": 2023}}


def test_names_that_are_not_declared_stay_as_they_are_written(tmp_path: Path) -> None:
    (tmp_path / "metadata.csv").write_text("path, Note,docType\na.pdf,x;y,Memo\n")
    assert read_sidecars(FolderSource(tmp_path), ["metadata.csv"], COLUMNS) == {"a.pdf": {"Note": "x;y", "docType": "Memo"}}
