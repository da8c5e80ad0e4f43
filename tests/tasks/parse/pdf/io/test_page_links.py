"""Links of a page."""

import pymupdf

from tasks.parse.pdf.io.page_links import links_of
from tasks.parse.pdf.links import Link


def test_links_inside_the_document_and_to_files_are_left_out() -> None:
    with pymupdf.open() as document:
        document.new_page()
        document.new_page()
        page = document[0]
        page.insert_link({"kind": pymupdf.LINK_URI, "from": pymupdf.Rect(10, 10, 60, 20), "uri": "https://example.org/mill"})
        page.insert_link({"kind": pymupdf.LINK_GOTO, "from": pymupdf.Rect(10, 30, 60, 40), "page": 1, "to": pymupdf.Point(0, 0)})
        page.insert_link({"kind": pymupdf.LINK_LAUNCH, "from": pymupdf.Rect(10, 50, 60, 60), "file": "notes.txt"})
        page.insert_link({"kind": pymupdf.LINK_URI, "from": pymupdf.Rect(10, 70, 60, 80), "uri": "mailto:ada@example.org"})
        found = links_of(document.reload_page(page))
        assert links_of(document[1]) == []
    assert found == [Link("https://example.org/mill", (10, 10, 60, 20)), Link("mailto:ada@example.org", (10, 70, 60, 80))]


def test_all_of_many_links_are_found_in_their_order() -> None:
    with pymupdf.open() as document:
        page = document.new_page()
        for n in range(300):
            page.insert_link(
                {"kind": pymupdf.LINK_URI, "from": pymupdf.Rect(10, n, 60, n + 1), "uri": f"https://example.org/{n}"}
            )
        assert [link.uri for link in links_of(document.reload_page(page))] == [f"https://example.org/{n}" for n in range(300)]
