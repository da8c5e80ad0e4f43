"""Files as people keep them, from a folder to answers: results name sheet and range, time, or the path in an archive."""

from pathlib import Path

import openpyxl
import pytest

import pagemill
from tests.flows.conftest import Refresh
from tests.tasks.parse.containers.packed import make_zip
from tests.tasks.parse.mail.test_mail import a_mail

HERONS: list[list[str | int]] = [["Bird", "Nests"], ["grey heron", 412], ["purple heron", 38]]
ASKED = {
    "How many nests has the purple heron?": ("herons.xlsx", ["'Nests 2024'!B3:C5"]),
    "Who paid for the mill wheel?": ("paid.csv", ["A1:B3"]),
    "When does the ferry to the island sail?": ("talk.vtt", ["00:00:05.000-00:01:14.000"]),
    "What does the lighthouse keeper want?": ("letter.eml", []),
    "How deep is the harbour?": ("letter.eml/harbour.txt", []),
    "Which bridge was closed?": ("papers.zip/roads/bridge.md", []),
}
"""The document and the places that answer each question."""


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    folder = tmp_path / "kept"
    folder.mkdir()
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet.title = "Nests 2024"
    for row, values in enumerate(HERONS, start=3):
        for column, value in enumerate(values, start=2):
            sheet.cell(row, column, value)
    book.save(folder / "herons.xlsx")
    (folder / "paid.csv").write_text("What,Who paid\nthe mill wheel,Augusta King\nthe weir,the parish\n")
    spoken = ("00:00:05.000 --> 00:00:09.000\nWelcome.", "00:01:10.000 --> 00:01:14.000\nThe ferry to the island sails at noon.")
    (folder / "talk.vtt").write_text("\n\n".join(("WEBVTT", *spoken)) + "\n")
    mail = a_mail("The lighthouse keeper wants new lamps.")
    mail.add_attachment("The harbour is nine metres deep.", filename="harbour.txt")
    (folder / "letter.eml").write_bytes(mail.as_bytes())
    (folder / "papers.zip").write_bytes(make_zip([("roads/bridge.md", b"# Roads\n\nThe stone bridge was closed in May.\n")]))
    return folder


def test_an_answer_names_the_place_in_its_file_whatever_the_format(refresh: Refresh, kept: Path, corpus: Path) -> None:
    assert refresh(kept, corpus)["counts"]["rejected"] == 0
    opened = pagemill.open(corpus)
    for question, (path, places) in ASKED.items():
        best = opened.search(question, k=1)[0]
        assert (best.path, best.places) == (path, places), question
