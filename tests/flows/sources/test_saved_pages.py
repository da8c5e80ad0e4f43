"""Pictures that lie beside a page are its figures, and a picture that changes changes the page."""

import io
import os
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from schemas.options.sections import RefreshOptions
from tasks.file_tools.io.inspect import inspect_page
from tasks.parse.books.inlined import MAX_BYTES, MOST_PICTURES, PictureFile, choose_pictures
from tests.flows.conftest import Refresh
from tests.flows.corpora import changes, paths, rows
from tests.flows.sources.servers import FolderBehind

SHOWN = ("News_files/chart.png", "images/a%20b.png", "../out.png", "images/gone.png", "https://mills.example/c.png", "/etc/d.png")
PAGE = "<h1>News</h1><p>The mill turns.</p>" + "".join(f'<p><img src="{address}"></p>' for address in SHOWN)


def draw(folder: Path) -> Path:
    """Write a page with a picture in the folder that a browser saved, one elsewhere, and one out of the source."""
    for path in ("News_files/chart.png", "News_files/unused.png", "images/a b.png", "../out.png"):
        write(folder / path, draw_picture(len(path)))
    write(folder / "News_files/site.js", b"1")
    write(folder / "News.html", PAGE.encode())
    return folder


def draw_picture(radius: int) -> bytes:
    """Return a picture of a wheel, in which nothing is to be read."""
    picture, sink = Image.new("RGB", (160, 160), "white"), io.BytesIO()
    ImageDraw.Draw(picture).circle((80, 80), radius, "navy")
    picture.save(sink, "PNG")
    return sink.getvalue()


def write(path: Path, data: bytes) -> None:
    """Write a file that has been as it is for long."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    os.utime(path, (1_700_000_000 + len(data), 1_700_000_000 + len(data)))


def test_pictures_beside_a_page_are_its_figures_as_long_as_they_are_there(plain: Refresh, tmp_path: Path) -> None:
    source, corpus = draw(tmp_path / "source"), tmp_path / "corpus"
    done = plain(source, corpus)
    assert (paths(corpus), done["skipped"]) == ({"News.html", "images/a b.png"}, ["News_files/site.js"])
    [page] = [row["document_id"] for row in rows(corpus, "documents") if row["path"] == "News.html"]
    assert sum(row["document_id"] == page for row in rows(corpus, "figures")) == 2
    assert plain(source, corpus)["outcome"] == "nothing changed"
    (source / "News_files/chart.png").write_bytes(draw_picture(61))
    assert changes(plain(source, corpus)) == {"changed": 1, "unchanged": 1}
    (source / "images/a b.png").unlink()
    assert changes(plain(source, corpus, plan={"allow_removals": True})) == {"changed": 1, "removed": 1}
    assert len(rows(corpus, "figures")) == 1


def test_a_page_shows_no_document_that_others_may_not_read(plain: Refresh, tmp_path: Path) -> None:
    """Who may add a page could read every picture of the source by it."""
    source, corpus = draw(tmp_path / "source"), tmp_path / "corpus"
    (source / "metadata.csv").write_text("path,groups\nNews.html,everyone\nimages,finance\n")
    plain(source, corpus, columns={"groups": "list<string>"})
    [page] = [row["document_id"] for row in rows(corpus, "documents") if row["path"] == "News.html"]
    assert paths(corpus) == {"News.html", "images/a b.png"}
    assert sum(row["document_id"] == page for row in rows(corpus, "figures")) == 1


def test_a_picture_beside_a_page_on_a_server_is_one_more_body(server: FolderBehind, plain: Refresh, tmp_path: Path) -> None:
    draw(server.folder)
    corpus = tmp_path / "corpus"
    plain(server.url, corpus)
    assert len(rows(corpus, "figures")) == 3
    bodies = {"News.html": 1, "News_files/chart.png": 1, "News_files/unused.png": 1, "images/a b.png": 1}
    assert server.take_requests().bodies == bodies
    assert plain(server.url, corpus)["outcome"] == "nothing changed" and not server.take_requests().bodies
    write(server.folder / "News_files/chart.png", draw_picture(61))
    assert changes(plain(server.url, corpus)) == {"changed": 1, "unchanged": 1}
    assert server.take_requests().bodies == {"News.html": 1, "News_files/chart.png": 1, "images/a b.png": 1}


def test_a_page_alone_shows_the_pictures_of_its_folder_and_none_out_of_it(tmp_path: Path) -> None:
    folder = draw(tmp_path / "source")
    (folder / "images/gone.png").symlink_to(tmp_path / "out.png")
    found = inspect_page(folder / "News.html", 1, None, False, RefreshOptions())["elements"]
    assert [element["kind"] for element in found].count("figure") == 2


@given(st.lists(st.text("abc/.%2e?#\\", max_size=9)), st.sampled_from(["p.html", "a/p.html", "a/b/p.html"]))
def test_only_files_of_the_source_are_shown(addresses: list[str], page: str) -> None:
    asked: list[str] = []

    def find(path: str) -> PictureFile | None:
        asked.append(path)
        return PictureFile(path, 1, "d") if path == "a/b" else None

    chosen, n_left_out = choose_pictures(page, addresses, find)
    assert {picture.path for picture in chosen} <= {"a/b"} and n_left_out == max(0, asked.count("a/b") - MOST_PICTURES)
    assert len(chosen) + n_left_out == asked.count("a/b")


def test_too_many_and_too_large_pictures_are_counted() -> None:
    sizes = {"large.png": MAX_BYTES + 1, **{f"{n}.png": 1 for n in range(MOST_PICTURES + 1)}}
    chosen, n_left_out = choose_pictures("p.html", sizes, lambda path: PictureFile(path, sizes[path], "d"))
    assert (len(chosen), n_left_out) == (MOST_PICTURES, 2)
    chosen, n_left_out = choose_pictures("p.html", "abcd", lambda path: PictureFile(path, MAX_BYTES, "d"))
    assert (len(chosen), n_left_out) == (3, 1), "together they are more than is read of one page"
