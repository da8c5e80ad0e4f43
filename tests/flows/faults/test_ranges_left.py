"""The text of a long document's ranges, if the refresh is killed while its workers read them."""

import os
import tempfile
from pathlib import Path

import pymupdf
import pytest

from tasks.parse.io.parse import RANGED_BYTES
from tests.flows.forks import Forks, Moment

SECRET = "CONFIDENTIAL-77119"
READ = Moment("tasks.parse.io.ranges", "_read_ranges", 1)


def draw_long(path: Path) -> None:
    """Draw a PDF of so many pages and bytes that it is read in ranges."""
    with pymupdf.open() as document:
        for number in range(60):
            document.new_page().insert_textbox((60, 60, 540, 760), f"{SECRET} page {number}. " + "salaries of the mill. " * 90)
        document.embfile_add("attached", os.urandom(RANGED_BYTES))
        document.save(path)


def files_with_the_secret(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()]


@pytest.mark.slow
def test_what_a_killed_refresh_leaves_of_a_long_document_lies_in_the_corpus_and_goes_with_the_next(
    forks: Forks, tmp_path: Path
) -> None:
    source, corpus = tmp_path / "source", tmp_path / "corpus"
    source.mkdir()
    draw_long(source / "long.pdf")
    before = set(Path(tempfile.gettempdir()).glob("pagemill-*"))
    assert forks.run(source, corpus, READ).signal == 9
    left = files_with_the_secret(corpus)
    assert len(left) == 3 and {path.parents[4].name for path in left} == {"runs"}
    assert set(Path(tempfile.gettempdir()).glob("pagemill-ranges-*")) <= before
    (source / "long.pdf").unlink()
    (source / "short.txt").write_text("The mill turns.")
    assert not forks.run(source, corpus).error
    assert files_with_the_secret(corpus) == []
