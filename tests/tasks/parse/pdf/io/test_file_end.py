"""A PDF is whole if its end is there, whatever stands behind it; one that was cut off is refused."""

from pathlib import Path

import pymupdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.errors import DocumentError
from tasks.parse.pdf.io.document import opened
from tasks.parse.pdf.io.file_end import is_cut_off, is_empty

SENTENCE = "The pump lifts forty litres a second."
PAGE = b"<!DOCTYPE html>\n<html><body><p>You may now close this window.</p></body></html>\n"


def drawn(n_pages: int = 1) -> bytes:
    document = pymupdf.open()
    for _ in range(n_pages):
        document.new_page().insert_text((72, 72), SENTENCE)
    return bytes(document.tobytes())


def updated(content: bytes) -> bytes:
    """Return a file with a second revision behind the first."""
    second = b"\n4 0 obj\n<</Note (" + b"x" * 3000 + b")>>\nendobj\n"
    return content + second


WHOLE = {
    "nothing": b"",
    "a line end": b"\r\n",
    "a few zeros": bytes(600),
    "two thousand zeros": bytes(2000),
    "a block of zeros": bytes(80_000),
    "spaces": b" " * 3000,
    "line ends": b"\n" * 5000,
    "a web page": PAGE * 40,
    "a boundary of a mail": b"\r\n--=_part_1\r\n" + b"-" * 2000,
    "a signature": b"-----BEGIN PKCS7-----\n" + b"MIIG" * 900 + b"\n-----END PKCS7-----",
    "bytes of a disk": bytes(range(256)) * 20,
    "another end": b"\n" * 1500 + b"%%EOF" + bytes(1500),
    "ones": b"\xff" * 4096,
}


@pytest.mark.parametrize("behind", WHOLE.values(), ids=WHOLE.keys())
def test_a_whole_file_is_read_whatever_stands_behind_it(behind: bytes, tmp_path: Path) -> None:
    path = tmp_path / "whole.pdf"
    path.write_bytes(drawn() + behind)
    for content in (path.read_bytes(), path):
        with opened(content) as document:
            assert SENTENCE in document[0].get_text()


@pytest.mark.parametrize("behind", [b"", bytes(2000), PAGE * 40])
def test_a_file_without_its_end_is_refused_whatever_stands_behind_it(behind: bytes, tmp_path: Path) -> None:
    path = tmp_path / "cut.pdf"
    whole = drawn(8)
    path.write_bytes(whole[: whole.index(b"xref")][:-400] + behind)
    for content in (path.read_bytes(), path):
        with pytest.raises(DocumentError, match="truncated"), opened(content):
            pass


def test_an_end_before_further_objects_is_none() -> None:
    assert not is_cut_off(drawn())
    assert is_cut_off(updated(drawn())), "as in the first part of a file for the web"
    assert not is_cut_off(updated(drawn()) + b"startxref\n9\n")


@given(st.binary(max_size=3000).filter(lambda behind: b"obj" not in behind))
def test_no_bytes_behind_the_end_make_a_whole_file_look_cut_off(behind: bytes) -> None:
    assert not is_cut_off(drawn() + behind)


def test_files_are_looked_at_as_their_bytes_are(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    for content in (drawn(), drawn()[:-300]):
        path.write_bytes(content)
        assert is_cut_off(path) == is_cut_off(content)
        assert not is_empty(path) and not is_empty(content)
    path.write_bytes(b"")
    assert is_empty(path) and is_empty(b"")
    with pytest.raises(DocumentError, match="cannot be read"):
        is_empty(tmp_path / "missing.pdf")
