"""Links of a PDF page to addresses outside the document."""

from typing import Any

from tasks.parse.pdf.links import Link


def links_of(page: Any) -> list[Link]:
    """Return the links with an address, in the file's order, without links inside the document."""
    import pymupdf

    if page.first_link is None:
        return []
    return [
        Link(link["uri"], tuple(link["from"])) for link in page.get_links() if link["kind"] == pymupdf.LINK_URI and link["uri"]
    ]
