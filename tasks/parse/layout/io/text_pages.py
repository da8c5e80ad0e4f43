"""Text pages as the layout model sees them, without the comparison of every character with all before it.

MuPDF compares them to find text that is printed twice, whenever it looks for lines below or through text too. It begins at the
first block of the page, so that a page that names its first block only when it has been read is spared that.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tasks.parse.layout.io.segments import segment
from tasks.parse.layout.io.text_memory import is_as_declared

if TYPE_CHECKING:
    import pymupdf
    from pymupdf import mupdf


def text_page(page: "pymupdf.Page", ruled: bool = True, doubled: bool = True) -> "pymupdf.TextPage":
    """Return what MuPDF reads on a page, its lines, drawings and tables.

    Drawings below and through text are found if the page is `ruled`, text that is printed twice if it is `doubled` as well.
    """
    import pymupdf

    flags = _flags() | (pymupdf.TEXT_COLLECT_STYLES if ruled or doubled else 0)
    once = not doubled and ruled and not page.rotation
    read = pymupdf.TextPage(_read_once(page, flags)) if once else page.get_textpage(flags=flags)
    _cut(read)
    return read


def _cut(read: "pymupdf.TextPage") -> None:
    """Cut a page into segments, these into paragraphs, and find tables: what MuPDF does at the end, if it is asked."""
    from pymupdf import mupdf

    page = read.this.m_internal
    if is_as_declared():
        segment(read)
    else:
        mupdf.ll_fz_segment_stext_page(page)
    mupdf.ll_fz_paragraph_break(page)
    mupdf.ll_fz_table_hunt(page, mupdf.FzStextOptions().table_hunt_options)


def _read_once(page: "pymupdf.Page", flags: int) -> "mupdf.FzStextPage":
    import pymupdf
    from pymupdf import mupdf

    options = mupdf.FzStextOptions()
    options.flags = flags
    shown = pymupdf._as_fz_page(page.this)
    read = mupdf.FzStextPage(mupdf.fz_bound_page(shown))
    device = mupdf.fz_new_stext_device(read, options)
    with _without_first_block(read.m_internal, device):
        mupdf.fz_run_page(shown, device, mupdf.FzMatrix(), mupdf.FzCookie())
    mupdf.fz_close_device(device)
    return read


@contextmanager
def _without_first_block(read: "mupdf.fz_stext_page", device: "mupdf.FzDevice") -> Iterator[None]:
    """Collect blocks in a structure that the page does not name, and make them those of the page at the end."""
    from pymupdf import mupdf

    mupdf.fz_begin_structure(device, mupdf.FZ_STRUCTURE_DIV, "", 0)
    blocks, read.first_block = read.last_struct, None
    try:
        yield
    finally:
        read.first_block, read.last_block, read.last_struct = blocks.first_block, blocks.last_block, None


def _flags() -> int:
    import pymupdf

    return int(
        pymupdf.TEXT_PRESERVE_IMAGES
        | pymupdf.TEXT_PRESERVE_WHITESPACE
        | pymupdf.TEXT_PRESERVE_LIGATURES
        | pymupdf.TEXT_ACCURATE_BBOXES
        | pymupdf.TEXT_COLLECT_VECTORS
        | pymupdf.TEXT_COLLECT_STRUCTURE
        | pymupdf.TEXT_LAZY_VECTORS
        | pymupdf.TEXT_CLIP
        | pymupdf.TEXT_FUZZY_VECTORS
    )
