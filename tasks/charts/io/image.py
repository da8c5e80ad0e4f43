"""Pictures: a chart as PNG in Markdown. The Prefect UI shows these, and shows no SVG."""

import base64
import threading

PIXELS = 960
"""Width of a picture."""

_drawing = threading.Lock()
"""MuPDF must not work in two threads at once."""


def render_markdown_image(title: str, drawing: str) -> str:
    """Return a chart, as `drawing` of `shapes` makes it, as a Markdown image with this title, which needs no escaping."""
    return f"![{title}](data:image/png;base64,{base64.b64encode(render_png(drawing)).decode()})"


def render_png(drawing: str) -> bytes:
    """Return a chart on white as a PNG of PIXELS width. MuPDF draws dashed lines solid."""
    import pymupdf

    svg = drawing.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    with _drawing, pymupdf.open(stream=svg.encode(), filetype="svg") as document:
        page = document[0]
        zoom = PIXELS / page.rect.width
        return bytes(page.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom)).tobytes("png"))
