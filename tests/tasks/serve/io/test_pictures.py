import hashlib
import io
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from schemas.errors import InputError, NoPicture
from schemas.media_types import media_type_of
from tasks.serve.io.pictures import LIMITS, Pictures, parse_source_folders
from tasks.store import files
from tasks.workers.pool import WorkerPool
from tests.flows.corpora import draw_pdf
from tests.slow_page import draw_slow_pdf
from tests.tasks.parse.containers.packed import make_tar_gz, make_zip

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("source")
    draw_pdf(folder / "sub/report.pdf", ["First page.", "Second page."])
    draw_pdf(folder.parent / "secret.pdf", ["Not for the corpus."])
    (folder / "damaged.pdf").write_bytes(b"%PDF-1.7 and no more")
    (folder / "notes.txt").write_text("Notes.")
    (folder / "out.pdf").symlink_to(folder.parent / "secret.pdf")
    Image.new("RGB", (300, 200), "white").save(folder / "scan.tiff", dpi=(100, 100))
    return folder


@pytest.fixture(scope="module")
def pictures(folder: Path) -> Iterator[Pictures]:
    made = Pictures({"main": str(folder)})
    yield made
    made.close()


def row(folder: Path, path: str, **other: Any) -> dict[str, Any]:
    content = (folder / path).read_bytes() if (folder / path).is_file() else b""
    place = {"document_id": path, "source_name": "main", "path": path, "media_type": media_type_of(path)}
    return {**place, "sha256": hashlib.sha256(content).hexdigest(), **other}


def test_a_page_is_a_png_with_its_size_in_points(pictures: Pictures, folder: Path) -> None:
    picture = pictures.draw(row(folder, "sub/report.pdf"), 2)
    with Image.open(io.BytesIO(picture.png)) as image:
        assert image.format == "PNG"
        assert image.width / picture.width == pytest.approx(image.height / picture.height, rel=0.01)
    assert (picture.width, picture.height) == pytest.approx((595, 842), abs=1)
    assert pictures.draw(row(folder, "sub/report.pdf"), 2) is picture
    pictures.forget()
    assert pictures.draw(row(folder, "sub/report.pdf"), 2) is not picture


def test_a_page_of_a_document_in_an_archive_is_drawn(pictures: Pictures, folder: Path) -> None:
    content = (folder / "sub/report.pdf").read_bytes()
    (folder / "box.zip").write_bytes(make_zip([("a.txt", b"a"), ("in.tar.gz", make_tar_gz([("sub/report.pdf", content)]))]))
    path = "box.zip/in.tar.gz/sub/report.pdf"
    picture = pictures.draw(row(folder, path, sha256=hashlib.sha256(content).hexdigest()), 2)
    assert picture.png == pictures.draw(row(folder, "sub/report.pdf"), 2).png
    with pytest.raises(NoPicture, match="no longer the file that was indexed"):
        pictures.draw(row(folder, path, document_id="other", sha256="0" * 64), 1)
    with pytest.raises(NoPicture, match="not in the source main any more"):
        pictures.draw(row(folder, "box.zip/gone.pdf"), 1)
    (folder / "box.zip").write_bytes(b"PK\x03\x04")
    with pytest.raises(NoPicture, match=r"because box\.zip cannot be read: the file is not a ZIP archive"):
        pictures.draw(row(folder, "box.zip/gone.pdf"), 1)


def test_a_scan_has_its_size_by_its_resolution(pictures: Pictures, folder: Path) -> None:
    picture = pictures.draw(row(folder, "scan.tiff"), 1)
    assert (picture.width, picture.height) == pytest.approx((216, 144), abs=1)


@pytest.mark.parametrize(
    ("path", "page", "other", "reason"),
    [
        ("sub/report.pdf", 3, {}, "pages 1 to 2: there is no page 3"),
        ("sub/report.pdf", 0, {}, "no page 0"),
        ("sub/report.pdf", 1, {"sha256": "0" * 64}, "no longer the file that was indexed"),
        ("sub/report.pdf", 1, {"source_name": "other"}, "start the server with --source other=FOLDER"),
        ("gone.pdf", 1, {}, "not in the source main any more"),
        ("sub", 1, {"media_type": "application/pdf"}, "not in the source main any more"),
        ("damaged.pdf", 1, {}, "cannot be drawn"),
        ("notes.txt", 1, {}, "plain text has no fixed pages"),
        ("../secret.pdf", 1, {}, "not in the source main any more"),
        ("/etc/hostname", 1, {"media_type": "application/pdf"}, "not in the source main any more"),
        ("out.pdf", 1, {}, "not in the source main any more"),
    ],
)
def test_a_picture_that_is_not_to_be_had_says_why(
    pictures: Pictures, folder: Path, path: str, page: int, other: dict[str, Any], reason: str
) -> None:
    with pytest.raises(NoPicture, match=reason):
        pictures.draw(row(folder, path, **other), page)


def test_what_cannot_be_drawn_is_not_tried_again_for_a_while(
    pictures: Pictures, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw_slow_pdf(folder / "slow.pdf")
    monkeypatch.setattr(pictures, "_pool", WorkerPool(LIMITS.model_copy(update={"page_seconds": 0.5})))
    with pytest.raises(NoPicture, match="cannot be drawn") as first:
        pictures.draw(row(folder, "slow.pdf"), 1)
    monkeypatch.setattr(pictures, "_pool", None)  # it is not asked any more
    with pytest.raises(NoPicture) as again:
        pictures.find_drawn(row(folder, "slow.pdf"), 1)
    assert str(again.value) == str(first.value)
    monkeypatch.setattr("tasks.serve.io.pictures.FAILED_SECONDS", 0)
    assert pictures.find_drawn(row(folder, "slow.pdf"), 1) is None


def test_a_name_in_another_normal_form_is_found(pictures: Pictures, folder: Path) -> None:
    found = unicodedata.normalize("NFD", "caf\u00e9.pdf")
    draw_pdf(folder / found, ["Coffee."])
    sha256 = hashlib.sha256((folder / found).read_bytes()).hexdigest()
    assert pictures.draw(row(folder, "caf\u00e9.pdf", sha256=sha256), 1).width > 0


def test_a_source_that_is_no_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a folder"):
        Pictures({"main": str(tmp_path / "gone")})


def test_pages_of_a_source_in_a_store_are_drawn_and_nothing_beside_it(bucket: Path, folder: Path) -> None:
    stored = bucket / "source"
    for name in ("sub/report.pdf", "damaged.pdf"):
        files.write_atomically(stored / name, (folder / name).read_bytes())
    files.write_atomically(bucket / "secret.pdf", (folder / "sub/report.pdf").read_bytes())
    pictures = Pictures({"main": str(stored)})
    try:
        assert pictures.draw(row(folder, "sub/report.pdf"), 2).width == pytest.approx(595, abs=1)
        for path in ("../secret.pdf", "gone.pdf", "/secret.pdf"):
            with pytest.raises(NoPicture, match="not in the source main any more"):
                pictures.draw(row(folder, path, media_type="application/pdf"), 1)
        with pytest.raises(NoPicture, match="cannot be drawn"):
            pictures.draw(row(folder, "damaged.pdf"), 1)
    finally:
        pictures.close()
    with pytest.raises(InputError, match="not a folder"):
        Pictures({"main": str(bucket / "nowhere")})


def test_a_folder_without_a_name_is_that_of_the_source_main() -> None:
    assert parse_source_folders(["/srv/a=b"]) == {"main": "/srv/a=b"}
    assert parse_source_folders([]) == {}


@pytest.mark.parametrize(
    ("given", "message"), [(["a", "b"], "main twice"), (["x=a", "x=b"], "x twice"), ([" "], "blank"), (["x= "], "blank")]
)
def test_sources_that_mean_nothing_or_two_things_are_refused(given: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_source_folders(given)
