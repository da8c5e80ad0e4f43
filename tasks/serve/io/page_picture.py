"""The picture of one page, drawn in a worker from the file that was indexed."""

import io
from pathlib import Path

from schemas import media_types
from schemas.errors import NoPicture
from schemas.references import Content
from tasks.parse.io.parse import Tick, check_unchanged


def draw_page_as_png(content: Content, page_number: int, tick: Tick) -> tuple[dict[str, float], bytes]:
    """Return the width and height of a page in points, upright as its boxes are, and its PNG. Runs in a worker.

    Raises:
        NoPicture: the document has no such page.
        DocumentError: the page cannot be drawn.
        ChangedError, ServiceError: the file is not what was indexed, or cannot be read.
    """
    from tasks.parse.pdf.io.page_view import n_pages_of, view_page
    from tasks.parse.pdf.io.picture import as_pdf
    from tasks.parse.pdf.io.tiff import as_pdf as tiff_as_pdf

    check_unchanged(content)
    data = Path(content.path).read_bytes()
    if content.media_type == media_types.TIFF:
        data = tiff_as_pdf(data)
    elif content.media_type in media_types.PICTURES:
        data = as_pdf(data)
    tick(0)
    n_pages = n_pages_of(data)
    if not 1 <= page_number <= n_pages:
        raise NoPicture(f"the document has pages 1 to {n_pages}: there is no page {page_number}")
    view = view_page(data, page_number)
    target = io.BytesIO()
    view.picture.save(target, "PNG")
    return {"width": view.picture.width / view.scale, "height": view.picture.height / view.scale}, target.getvalue()
