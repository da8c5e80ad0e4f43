import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from schemas.errors import EmptyDocument
from schemas.records import NO_PROPERTIES
from tasks.parse.elements.flow_document import MAX_PLACES, FlowBlock, FlowDocument, bounded, document_row
from tasks.parse.elements.png import MAX_PIXELS, DocumentPictures, as_png
from tasks.parse.tables.cells import Cell, extent
from tasks.parse.text.plain import decode

CELLS = st.builds(Cell, st.integers(0, 3000), st.integers(0, 3000), st.just("x"), st.integers(1, 5000), st.integers(1, 5000))


def png(width: int, height: int, mode: str = "RGB") -> bytes:
    sink = io.BytesIO()
    Image.new(mode, (width, height)).save(sink, "PNG")
    return sink.getvalue()


@given(st.lists(CELLS, max_size=20))
def test_a_table_never_has_many_more_places_than_cells(cells: list[Cell]) -> None:
    rows, columns = extent(bounded(cells))
    assert rows * columns <= max(MAX_PLACES, 2 * len(cells))


def test_a_table_with_one_endless_row_becomes_one_column() -> None:
    cells = [*(Cell(0, column, "x") for column in range(1000)), *(Cell(row, 0, "y") for row in range(1, 1000))]
    found = bounded(cells)
    assert extent(found) == (1000, 1)
    assert len(found[0].text) == 1999


def test_a_document_with_only_furniture_has_the_text_of_the_furniture() -> None:
    row = document_row(FlowDocument([FlowBlock("furniture", "Imprint")], NO_PROPERTIES), 150)
    assert [element["kind"] for element in row["elements"]] == ["paragraph"]


def test_a_document_without_text_or_pictures_is_empty() -> None:
    with pytest.raises(EmptyDocument):
        document_row(FlowDocument([FlowBlock("figure", picture=png(5, 5))], NO_PROPERTIES), 150)


def test_pictures_are_scaled_down_and_small_ones_are_decoration() -> None:
    made = as_png(png(4000, 3000), MAX_PIXELS)
    assert made is not None
    size = Image.open(io.BytesIO(made)).size
    assert size[0] * size[1] <= MAX_PIXELS
    assert size[0] * 3 == pytest.approx(size[1] * 4, abs=8)
    assert as_png(png(500, 10), MAX_PIXELS) is None


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_pictures_of_every_mode_become_png(mode: str) -> None:
    assert (as_png(png(40, 40, mode), MAX_PIXELS) or b"").startswith(b"\x89PNG")


def test_a_repeated_picture_is_made_once_and_a_broken_one_reported_once() -> None:
    album = DocumentPictures(150)
    assert album.png(png(40, 40), 1, None) == album.png(png(40, 40), 2, None)
    assert album.png(b"no picture", 1, None) is None
    assert album.png(b"no picture", 2, None) is None
    assert [reject["page_number"] for reject in album.rejects] == [1]
    assert album.rejects[0]["message"] == "a picture cannot be read: it is damaged, or of a format that is not known"


def test_western_european_text_is_read_and_reported_and_other_bytes_are_refused() -> None:
    found = decode("Das Gebäude steht an der Straße.".encode("cp1252"))
    assert (found.text, found.charset) == ("Das Gebäude steht an der Straße.", "windows-1252")
    assert "byte 7" in found.notes[0]["message"]
    for data in ("Здание стоит".encode("cp1251"), "建物は通りに".encode("cp932"), b"abc \x81 def", b"abc \x01 \xe9 def ghi jkl"):
        with pytest.raises(Exception, match="byte"):
            decode(data)
