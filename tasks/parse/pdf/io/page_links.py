"""Links of a PDF page to addresses outside the document."""

from typing import TYPE_CHECKING

from tasks.parse.pdf.links import Link

if TYPE_CHECKING:
    import pymupdf


def links_of(page: "pymupdf.Page") -> list[Link]:
    """Return the links with an address, in the file's order, without links inside the document.

    Those are passed over unread: to find the page that a name stands for takes longer than to read the page.
    """
    import pymupdf

    found, link = [], page.first_link
    while link is not None:
        if link.is_external and link.dest.kind == pymupdf.LINK_URI and link.dest.uri:
            found.append(Link(link.dest.uri, tuple(link.rect)))
        link.xref = 0  # unknown: else PyMuPDF looks for it among all links of the page, for each; 32,768 would take minutes
        link = link.next
    return found
