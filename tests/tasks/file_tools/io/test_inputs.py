import os
from pathlib import Path

import pytest

from schemas.errors import InputError
from schemas.media_types import DOCX, XLSX
from tasks.file_tools.io.inputs import check_readable_document, find_documents, hash_content
from tests.tasks.parse.containers.packed import make_zip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("in/a/x.pdf", "in/b/x.txt", "in/tool.exe", "in/.hidden.md", "in/out/old.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    return tmp_path / "in"


def test_documents_of_a_folder_keep_their_place_and_results_below_it_are_left_out(folder: Path) -> None:
    assert [given.inner for given in find_documents([folder], folder / "out")] == ["a/x.pdf", "b/x.txt"]


def test_a_document_named_twice_is_one(folder: Path) -> None:
    found = find_documents([folder / "a/x.pdf", folder], folder / "out")
    assert [given.inner for given in found] == ["x.pdf", "b/x.txt"]


def test_a_link_out_of_the_folder_is_refused_not_forgotten(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("x")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    found = {given.inner: given.refused for given in find_documents([folder], tmp_path / "out")}
    assert "leads out" in found["link.txt"]
    assert not found["a/x.pdf"]


def test_the_folder_that_is_read_is_not_written_to(folder: Path) -> None:
    with pytest.raises(InputError, match="choose another folder for --out"):
        find_documents([folder], folder)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "folder"),
        ("nowhere.pdf", "does not exist"),
        ("tool.exe", r"choose one of these types: .*\.pdf"),
        ("pipe.txt", "not a regular file"),
    ],
)
def test_what_is_no_document_is_said_to_be_none(folder: Path, name: str, message: str) -> None:
    os.mkfifo(folder / "pipe.txt")
    with pytest.raises(InputError, match=message):
        check_readable_document(folder / name)


def test_a_folder_without_documents_says_what_is_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no documents in .*: Pagemill reads .*\.pdf"):
        find_documents([tmp_path], tmp_path / "out")


def test_a_file_without_a_suffix_is_what_its_first_bytes_say(folder: Path) -> None:
    (folder / "report").write_bytes(b"%PDF-1.7")
    (folder / "README").write_bytes(b"Read me")
    assert "report" in [given.inner for given in find_documents([folder], folder / "out")]
    (folder / "book").write_bytes(b"PK\x03\x04" + bytes(26) + b"docProps/app.xml")
    assert hash_content(folder / "book").media_type == DOCX
    (folder / "book").write_bytes(make_zip([("docProps/app.xml", b"<x/>"), ("xl/workbook.xml", b"<x/>")]))
    assert hash_content(folder / "book").media_type == XLSX
    assert hash_content(folder / "report").media_type == "application/pdf"
    with pytest.raises(InputError, match="not a document"):
        check_readable_document(folder / "README")
