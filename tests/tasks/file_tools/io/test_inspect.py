from pathlib import Path

import pymupdf
import pytest
from PIL import Image

from schemas.errors import DocumentError, InputError
from schemas.options.pii import PiiOptions
from schemas.options.sections import RefreshOptions
from tasks.file_tools.io.inspect import InspectedPage, inspect_page
from tasks.file_tools.io.page_drawing import COLOURS, MARGIN, PANEL
from tasks.parse.pdf.io import page_view
from tests.tasks import drawn
from tests.tasks.parse.containers.packed import make_zip

OPTIONS = RefreshOptions()


def written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def seen(path: Path, furniture: bool = False) -> tuple[InspectedPage, Image.Image]:
    found = inspect_page(path, 1, path.with_suffix(".png"), furniture, OPTIONS)
    return found, Image.open(path.with_suffix(".png"))


def test_elements_are_numbered_in_reading_order_with_level_and_section(tmp_path: Path) -> None:
    path = written(tmp_path / "a.pdf", drawn.two_columns())
    found = inspect_page(path, 1, None, False, OPTIONS)
    elements = found["elements"]
    assert [element["number"] for element in elements] == list(range(1, len(elements) + 1))
    [heading] = [element for element in elements if element["text"] == "2 Publishing"]
    assert (heading["kind"], heading["level"], heading["section"]) == ("heading", 2, ["How a Mill Grinds Documents"])
    assert found["n_furniture_left_out"] == 1
    assert "furniture" not in {element["kind"] for element in elements}


def test_an_element_says_what_the_layout_model_took_it_for_and_which_passes_changed_it(tmp_path: Path) -> None:
    path = written(tmp_path / "box.zip", make_zip([("report", drawn.joined_table())])) / "report"
    found = [one for number in (1, 2) for one in inspect_page(path, number, None, True, OPTIONS, why=True)["elements"]]
    told = {(one["kind"], change["by"], change["what"]) for one in found for change in one["changes"]}
    assert ("table", "cut-at-grids", "larger") in told
    assert ("table", "continued", "goes on from another part") in told
    firsts = [one["changes"][0] for one in found]
    assert {change["by"] for change in firsts} == {"layout-model"}
    assert "table" in {change["what"] for change in firsts}
    assert all(Path(change["at"].partition(":")[0]).is_file() for one in found for change in one["changes"])


def test_a_page_says_how_likely_its_lines_are_headings_and_rows_and_which_tables_it_refused(tmp_path: Path) -> None:
    found = inspect_page(written(tmp_path / "a.pdf", drawn.two_columns()), 1, None, False, OPTIONS, why=True)
    said = {one["text"]: [remark["what"] for remark in one["remarks"]] for one in found["elements"]}
    assert any(what.endswith(" for a heading, heading by the rules: 2 Publishing") for what in said["2 Publishing"])
    assert ("stream-tables", "no table: names or texts are too long") in {(one["by"], one["what"]) for one in found["remarks"]}


def test_boxes_are_drawn_in_the_colour_of_their_kind(tmp_path: Path) -> None:
    path = written(tmp_path / "a.pdf", drawn.two_columns())
    found, picture = seen(path, furniture=True)
    kinds = {element["kind"] for element in found["elements"]}
    colours = {colour for _, colour in picture.convert("RGB").getcolors(1 << 24) or []}
    assert {"heading", "paragraph", "furniture"} <= kinds
    assert {COLOURS[kind] for kind in kinds} <= colours
    assert COLOURS["figure"] not in colours


@pytest.mark.parametrize(("width", "height"), [(3, 14_400), (14_400, 14_400), (20, 20)])
def test_a_page_of_any_size_is_drawn_in_bounded_pixels(width: int, height: int, tmp_path: Path) -> None:
    document = pymupdf.open()
    document.new_page(width=width, height=height)
    view = page_view.view_page(drawn.bytes_of(document), 1)
    assert view.picture.width * view.picture.height <= page_view.MAX_PIXELS * 1.01
    assert page_view.SHORTEST_SIDE * 0.99 <= max(view.picture.size) <= page_view.LONGEST_SIDE


def test_the_picture_is_the_page_with_a_panel_beside_it(tmp_path: Path) -> None:
    path = written(tmp_path / "a.pdf", drawn.ruled_table())
    _, picture = seen(path)
    view = page_view.view_page(path.read_bytes(), 1)
    assert picture.size == (view.picture.width + 2 * MARGIN + PANEL, view.picture.height + 2 * MARGIN)


@pytest.mark.parametrize(
    ("name", "page_number", "out", "message"),
    [
        ("nowhere.pdf", 1, "a.png", "does not exist"),
        ("a.pdf", 0, "a.png", "count from 1"),
        ("a.txt", 1, "a.png", "no page picture"),
        ("a.pdf", 1, "a.jpg", "does not end in .png"),
        ("a.pdf", 1, "folder.png", "is a folder"),
        ("a.pdf", 1, "none/a.png", "does not exist: create it"),
        ("a.pdf", 1, "a.pdf/a.png", "does not exist: create it"),
    ],
)
def test_a_wrong_call_is_refused_before_anything_is_read(
    name: str, page_number: int, out: str, message: str, tmp_path: Path
) -> None:
    for document in ("a.pdf", "a.txt"):
        (tmp_path / document).write_text("not read")
    (tmp_path / "folder.png").mkdir()
    with pytest.raises(InputError, match=message):
        inspect_page(tmp_path / name, page_number, tmp_path / out, False, OPTIONS)


def test_a_page_that_is_not_there_is_an_error_that_says_which_are(tmp_path: Path) -> None:
    path = written(tmp_path / "a.pdf", drawn.scanned())
    with pytest.raises(InputError, match="has pages 1 to 3: there is no page 4"):
        inspect_page(path, 4, None, False, OPTIONS)
    (tmp_path / "a.txt").write_text("One page.")
    with pytest.raises(InputError, match="has one page: there is no page 2"):
        inspect_page(tmp_path / "a.txt", 2, None, False, OPTIONS)


def test_an_encrypted_document_is_named_with_what_to_do(tmp_path: Path) -> None:
    path = written(tmp_path / "a.pdf", drawn.with_password())
    with pytest.raises(DocumentError, match=r"a\.pdf: the PDF opens only with a password: save a copy"):
        inspect_page(path, 1, tmp_path / "a.png", False, OPTIONS)
    assert not (tmp_path / "a.png").exists()


def test_personal_data_of_the_page_is_told_by_kind_where_it_is_looked_for(tmp_path: Path) -> None:
    path = written(tmp_path / "a.md", b"# Notes\n\nWrite to ada@example.org.\n")
    options = OPTIONS.model_copy(update={"pii": PiiOptions(action="redact")})
    assert inspect_page(path, 1, None, False, options)["personal_data"] == [{"kind": "email", "bbox": None, "place": None}]
    assert "personal_data" not in inspect_page(path, 1, None, False, OPTIONS)
