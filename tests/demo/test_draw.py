import json
import unicodedata
from pathlib import Path

import pymupdf
import pytest

from demo.draw import DOCUMENTS, QUESTIONS, UNREADABLE, draw_corpus, write_questions


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("drawn")
    draw_corpus(folder)
    return folder


def text_of(path: Path) -> str:
    """What a reader sees, in one line of words."""
    if path.suffix != ".pdf":
        return " ".join(path.read_text("utf-8").split())
    with pymupdf.open(path) as document:
        return " ".join(unicodedata.normalize("NFKC", word[4]) for page in document for word in page.get_text("words"))


def test_the_folder_holds_what_the_lists_name_and_a_sidecar(corpus: Path) -> None:
    found = {path.relative_to(corpus).as_posix() for path in corpus.rglob("*") if path.is_file()}
    assert found == {*DOCUMENTS, *UNREADABLE, "metadata.csv"}


def test_drawing_again_gives_the_same_bytes(corpus: Path, tmp_path: Path) -> None:
    draw_corpus(tmp_path)
    locked = "archive/locked.pdf"
    for name in {*DOCUMENTS, *UNREADABLE, "metadata.csv"} - {locked}:
        assert (tmp_path / name).read_bytes() == (corpus / name).read_bytes(), name


def test_the_report_runs_over_pages_and_columns(corpus: Path) -> None:
    with pymupdf.open(corpus / "annual-report-2024.pdf") as report:
        assert len(report) >= 3
        lefts = {round(block[0]) for block in report[0].get_text("blocks")}
    assert len({left for left in lefts if left < 280}) and any(left > 300 for left in lefts)


def test_a_table_goes_on_over_a_pages_end_under_its_header(corpus: Path) -> None:
    with pymupdf.open(corpus / "landings-2024.pdf") as landings:
        first, second = (page.get_text() for page in landings)
    assert "Remark" in first and "Remark" in second
    assert "guests on board" in second and "guests on board" not in first


def test_quotes_stand_in_their_documents(corpus: Path) -> None:
    scanned = "archive/letter-1987.pdf"
    for question in QUESTIONS:
        for gold in question["gold"]:
            assert gold["document"] in question["documents"]
            if "quote" in gold and gold["document"] != scanned:
                assert gold["quote"] in text_of(corpus / gold["document"]), question["id"]


def test_the_scan_has_a_picture_and_no_text(corpus: Path) -> None:
    with pymupdf.open(corpus / "archive/letter-1987.pdf") as letter:
        assert len(letter[0].get_images()) == 1
    assert text_of(corpus / "archive/letter-1987.pdf") == ""


def test_the_unreadable_files_cannot_be_read(corpus: Path) -> None:
    with pytest.raises(pymupdf.FileDataError):
        pymupdf.open(corpus / "archive/broken.pdf")
    with pymupdf.open(corpus / "archive/locked.pdf") as locked:
        assert locked.needs_pass


def test_questions_are_written_one_a_line(tmp_path: Path) -> None:
    write_questions(tmp_path / "new" / "questions.jsonl")
    lines = (tmp_path / "new" / "questions.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line) for line in lines] == QUESTIONS
