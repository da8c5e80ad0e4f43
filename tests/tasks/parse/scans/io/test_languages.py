"""Scanned pages in other scripts and languages than English."""

import pymupdf
import pytest

from schemas.options.sections import ParseOptions
from tasks.parse.scans.io import tesseract
from tests.tasks import drawn
from tests.tasks.parse.scans.io.scanned import parsed, text_of

RUSSIAN = "Мельница превращает папки документов в собрание. Каждую ночь она читает новое, и больше ничего. " * 6


def test_a_page_in_a_script_that_is_not_read_is_a_reject_that_names_the_packages() -> None:
    document = pymupdf.open("pdf", drawn.sheet())
    document.insert_pdf(pymupdf.open("pdf", drawn.scan_of_text(RUSSIAN)))
    row = parsed(drawn.bytes_of(document), ParseOptions(ocr_languages="eng"))
    (reject,) = row["rejects"]
    assert (reject["page_number"], reject["error"]) == (2, "UnreadScript")
    assert "its script is Cyrillic" in reject["message"]
    assert "tesseract-ocr-rus" in reject["remedy"] and "parse.ocr_languages" in reject["remedy"]
    assert [element["kind"] for element in row["elements"] if element["page_number"] == 2] == ["figure"]
    assert not [element["text"] for element in row["elements"] if element["page_number"] == 2 and element["text"]]


def test_on_a_page_of_two_scripts_what_cannot_be_read_is_left_out_and_recorded() -> None:
    row = parsed(drawn.scan_of_text(drawn.RIGHT * 2, RUSSIAN), ParseOptions(ocr_languages="eng"))
    (reject,) = row["rejects"]
    assert (reject["page_number"], reject["error"]) == (1, "UnreadScript")
    assert "% of its letters" in reject["message"] and "Cyrillic" in reject["message"]
    assert text_of(row).strip().startswith("A reader never sees a half-written state")
    assert text_of(row).strip().endswith("published at once and as a whole.")


@pytest.mark.skipif("rus" not in tesseract.installed(), reason="tesseract-ocr-rus is not installed")
def test_a_page_is_read_in_the_language_of_its_script_if_that_is_installed() -> None:
    row = parsed(drawn.scan_of_text(RUSSIAN))
    assert "превращает папки документов" in text_of(row)
    assert not row["rejects"]


MOSTLY_ENGLISH = drawn.RIGHT * 8, RUSSIAN[: len(RUSSIAN) // 3]
"""Two paragraphs of a page that is read with confidence on the whole."""


def test_a_part_in_another_script_is_recorded_also_on_a_page_that_is_read_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tesseract, "installed", lambda: frozenset({"eng"}))
    row = parsed(drawn.scan_of_text(*MOSTLY_ENGLISH))
    (reject,) = row["rejects"]
    assert (reject["page_number"], reject["error"]) == (1, "UnreadScript")
    assert text_of(row).strip().endswith("published at once and as a whole.")


@pytest.mark.skipif("rus" not in tesseract.installed(), reason="tesseract-ocr-rus is not installed")
def test_a_part_in_another_script_is_read_in_it_also_on_a_page_that_is_read_well() -> None:
    row = parsed(drawn.scan_of_text(*MOSTLY_ENGLISH))
    assert "превращает папки документов" in text_of(row) and "half-written state" in text_of(row)
    assert not row["rejects"]


@pytest.mark.skipif("rus" not in tesseract.installed(), reason="tesseract-ocr-rus is not installed")
def test_a_script_that_is_not_sure_is_tried_on_a_page_of_which_nothing_was_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tesseract, "SURE_ORIENTATION", 1000.0)
    assert "превращает папки документов" in text_of(parsed(drawn.scan_of_text(RUSSIAN)))
    assert "both counts agree" in text_of(parsed(drawn.sheet(180)))


@pytest.mark.skipif("deu" not in tesseract.installed(), reason="tesseract-ocr-deu is not installed")
def test_a_page_in_latin_letters_is_read_in_its_own_language_if_that_is_installed() -> None:
    german = "Die Mühle fügt über Nacht hinzu, was für die Gäste nötig ist, und das Übrige bleibt, wie es für sie war. " * 3
    assert "fügt über Nacht hinzu" in text_of(parsed(drawn.scan_of_text(german)))
