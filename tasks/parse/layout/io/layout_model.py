"""The layout model that comes with PyMuPDF. It finds text, headings, tables and pictures on a page."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from tasks.parse.layout.geometry import Box
from tasks.parse.layout.io.form_fields import readable_fields
from tasks.parse.layout.regions import Grid, Region

KINDS = {
    "text": "paragraph",
    "title": "title",
    "section-header": "heading",
    "list-item": "list_item",
    "table": "table",
    "picture": "figure",
    "caption": "caption",
    "formula": "equation",
    "footnote": "footnote",
    "page-header": "furniture",
    "page-footer": "furniture",
}
FEATURES = "rf"
"""Features of text and vectors only: half the time of the model that also sees the page's picture, and better order."""


@cache
def _model() -> Any:
    """Load the model once a process, on one thread: the pool runs one process a core.

    It replaces the larger model that PyMuPDF loads when it is imported.
    """
    import pymupdf
    from pymupdf.layout import DocumentLayoutAnalyzer
    from pymupdf.layout.onnx import BoxRFDGNN, TableGridExtractorV2

    BoxRFDGNN.make_session = TableGridExtractorV2.make_session = session
    model = DocumentLayoutAnalyzer.get_model(feature_set_name=FEATURES, imf_model_path="")
    pymupdf._get_layout = model.predict
    return model._model


@cache
def _grids() -> Any:
    """Return the model for grids of tables, taken out of the other model, which would run it on the picture of every page."""
    model = _model()
    grids, model.table_grid_extractor = model.table_grid_extractor, None
    return grids


def session(path: str, providers: list[str] | None = None) -> Any:
    """Return a model that runs on one thread."""
    import onnxruntime  # type: ignore[import-untyped]

    options = onnxruntime.SessionOptions()
    options.enable_cpu_mem_arena = False
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(path, sess_options=options, providers=providers)


class _PageWithoutPicture:
    """A page whose picture is blank. The model always asks for a picture, but only grids of tables need it.

    It also hides form fields that cannot be read, so that they do not make the page fail.
    """

    def __init__(self, page: Any) -> None:
        self._page = page

    def __getattr__(self, name: str) -> Any:
        return getattr(self._page, name)

    def get_pixmap(self) -> "_OnePixel":
        return _OnePixel()

    def widgets(self) -> Iterator[Any]:
        return readable_fields(self._page)


class _OnePixel:
    """A picture of one pixel."""

    width = height = n = 1
    samples = b"\0"


def load() -> None:
    """Load both models, once per process. It takes a second."""
    _grids()


def regions_of(page: Any) -> list[Region]:
    """Return the regions that the model finds on `page`, tables with their grid."""
    load()
    found = _model().predict(_PageWithoutPicture(page), return_raw=True)
    picture = _picture(page) if any(group["class_name"] == "table" for group in found) else None
    return [_region(group, picture) for group in found]


def _picture(page: Any) -> Any:
    import numpy as np

    pixmap = page.get_pixmap()
    return np.frombuffer(pixmap.samples, dtype=np.uint8).reshape(pixmap.height, pixmap.width, pixmap.n)


def _region(group: dict[str, Any], picture: Any) -> Region:
    x0, y0, x1, y1 = (float(value) for value in group["group_bbox"][:4])
    role = group["class_name"]
    grid = _grid(group["bboxes"], (x0, y0, x1, y1), picture) if role == "table" else None
    return Region((x0, y0, x1, y1), KINDS[role], grid, role=role)


def _grid(lines: list[list[float]], box: Box, picture: Any) -> Grid | None:
    """Return the inner rules of the table in `box`, which contains `lines` of text. The model sees a crop of the page."""
    import numpy as np

    x0, y0, x1, y1 = box
    part = picture[max(0, int(y0)) : int(y1), max(0, int(x0)) : int(x1)]
    if not part.size:
        return None
    boxes = np.array(lines) - np.array([x0, y0, x0, y0])
    grid, _ = _grids().predict(part, boxes, texts=[""] * len(lines))
    return Grid(tuple(y0 + float(y) for y in grid.h_lines), tuple(x0 + float(x) for x in grid.v_lines))


def page_box(page: Any) -> Box:
    """Return the page's rectangle, its corner at (0, 0)."""
    return 0.0, 0.0, float(page.rect.width), float(page.rect.height)
