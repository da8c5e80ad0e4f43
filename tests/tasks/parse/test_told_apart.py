import pytest

from schemas import media_types
from schemas.errors import DocumentError
from tasks.parse.told_apart import media_type_by_content
from tests.tasks import files_drawn, office_drawn

CONTENT = {
    media_types.PDF: b"%PDF-1.7\n",
    media_types.TIFF: b"II*\0....",
    media_types.DOCX: office_drawn.report(),
    media_types.PPTX: office_drawn.deck(),
    media_types.PNG: b"\x89PNG\r\n\x1a\n",
    media_types.RTF: rb"{\rtf1",
    media_types.ODT: files_drawn.open_text(),
    media_types.EPUB: files_drawn.epub(),
}


@pytest.mark.parametrize("told", media_types.FORMATS)
@pytest.mark.parametrize("found", CONTENT)
def test_the_content_decides_where_a_suffix_lies(found: str, told: str) -> None:
    assert media_type_by_content(CONTENT[found], told) == found


@pytest.mark.parametrize("told", media_types.FORMATS)
def test_what_belongs_to_no_format_stays_what_its_suffix_says(told: str) -> None:
    assert media_type_by_content(b"just text", told) == told


REFUSED = [
    (media_types.PLAIN_TEXT, b"SQLite format 3\0", "an SQLite database, not plain text"),
    (media_types.MARKDOWN, b"\x1f\x8b\x08", "a gzip archive, not Markdown"),
    (media_types.HTML, b"PK\x03\x04", "a ZIP archive, not HTML"),
    (media_types.PDF, b"\xef\xbb\xbf <!DOCTYPE HTML>", "an HTML page, not a PDF"),
    (media_types.DOCX, b"<html>", "an HTML page, not a Word document"),
]


@pytest.mark.parametrize(("told", "data", "message"), REFUSED)
def test_content_that_certainly_is_of_another_format_is_refused_as_that(told: str, data: bytes, message: str) -> None:
    with pytest.raises(DocumentError, match=message):
        media_type_by_content(data, told)
