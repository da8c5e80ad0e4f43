import os
from pathlib import Path

import pytest

from schemas.errors import InputError
from tasks.store.sources.folder import walk_source


def test_files_are_listed_below_folders_without_hidden_ones_and_corpora(tmp_path: Path) -> None:
    for name in ("b.txt", "sub/a.txt", ".hidden/x.txt", "sub/.y.txt", "corpus/.pagemill/format", "corpus/z.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    assert [file.path for file in walk_source(tmp_path)] == ["b.txt", "sub/a.txt"]


def test_links_inside_the_source_are_files_and_others_are_refused(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "a.txt").write_text("inside")
    (tmp_path / "secret.txt").write_text("outside")
    (source / "inner.txt").symlink_to(source / "a.txt")
    (source / "outer.txt").symlink_to(tmp_path / "secret.txt")
    (source / "up").symlink_to(tmp_path)
    (source / "broken.txt").symlink_to(source / "gone.txt")
    (source / "sub").mkdir()
    (source / "beside").symlink_to(source / "sub")
    os.mkfifo(source / "pipe")
    (source / "piped.txt").symlink_to(source / "pipe")
    refused = {file.path: file.refused for file in walk_source(source)}
    assert refused["a.txt"] == refused["inner.txt"] == ""
    assert "out of the source" in refused["outer.txt"]
    assert refused["up"] == "a symbolic link to a folder out of the source"
    assert refused["beside"] == "a symbolic link to a folder"
    assert refused["piped.txt"] == "the symbolic link does not lead to a regular file"
    assert "nowhere" in refused["broken.txt"]
    refused = {file.path: file.refused for file in walk_source(source, follows_links=False)}
    assert refused["a.txt"] == "" and "for others than the file" in refused["inner.txt"]


def test_a_name_that_is_not_utf8_is_refused_under_a_name_that_can_be_shown(tmp_path: Path) -> None:
    for name in (b"bad\xff.txt", b"bad\xfe.txt"):
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name)).write_text("x")
    files = walk_source(tmp_path)
    assert [file.path for file in files] == ["bad%FE.txt", "bad%FF.txt"]
    assert all("UTF-8" in file.refused for file in files)


def test_a_missing_source_and_a_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        walk_source(tmp_path / "nowhere")
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="is a file"):
        walk_source(tmp_path / "file")


def test_marks_of_documents_that_are_open_are_no_documents(tmp_path: Path) -> None:
    for name in ("~$report.docx", "~$deck.pptx", ".~lock.report.docx#", "~report.docx", "report~$.docx"):
        (tmp_path / name).write_bytes(b"x")
    assert [file.path for file in walk_source(tmp_path)] == ["report~$.docx", "~report.docx"]
