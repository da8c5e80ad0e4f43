import io

import pymupdf
import pytest
from PIL import Image

from schemas.errors import DocumentError
from schemas.options.sections import ParseOptions
from tasks.parse.pdf.io.tiff import parse_tiff


def scanned(*lines: str) -> bytes:
    """A TIFF of one frame for each line, at 100 dots an inch."""
    frames = []
    for line in lines:
        with pymupdf.open() as document:
            page = document.new_page(width=300, height=150)
            page.insert_text((30, 70), line, fontsize=18)
            pixels = page.get_pixmap(dpi=100)
            frames.append(Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples).convert("1"))
    target = io.BytesIO()
    frames[0].save(target, "TIFF", save_all=True, append_images=frames[1:], compression="group4", dpi=(100, 100))
    return target.getvalue()


def test_every_frame_is_a_page_read_by_ocr() -> None:
    row = parse_tiff(scanned("The harbour is closed", "It opens on Monday"), ParseOptions(), lambda _: None)
    assert [(page["page_number"], page["ocr"], round(page["width"])) for page in row["pages"]] == [(1, True, 300), (2, True, 300)]
    texts = {page: " ".join(e["text"] for e in row["elements"] if e["page_number"] == page) for page in (1, 2)}
    assert texts == {1: "The harbour is closed", 2: "It opens on Monday"}


@pytest.mark.parametrize(
    ("content", "message"), [(b"", "not a TIFF"), (b"%PDF-1.7", "not a TIFF"), (b"II*\0\xff\xff\xff\xff", "damaged")]
)
def test_what_is_not_a_tiff_or_is_truncated_is_refused(content: bytes, message: str) -> None:
    with pytest.raises(DocumentError, match=message):
        parse_tiff(content, ParseOptions(), lambda _: None)


def test_a_tiff_that_ends_too_soon_is_refused_or_recorded() -> None:
    whole = scanned("The harbour is closed")
    with pytest.raises(DocumentError):
        parse_tiff(whole[: len(whole) // 2], ParseOptions(), lambda _: None)
