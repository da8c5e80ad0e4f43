"""The layout model that comes with PyMuPDF: which parts of a page are text, headings, tables, pictures."""

from functools import cache
from typing import Any

from tasks.transforms.geometry import Box
from tasks.transforms.layout import Grid, Region

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
"""Features of text and vectors alone: half the time of the model that also sees the page's picture, and better order."""


@cache
def _model() -> Any:
    """Load the model once a process, on one thread: the pool runs one process a core.

    It takes the place of the larger model that comes with the import of PyMuPDF.
    """
    import pymupdf
    from pymupdf.layout import DocumentLayoutAnalyzer
    from pymupdf.layout.onnx import BoxRFDGNN, TableGridExtractorV2

    BoxRFDGNN.makesession = TableGridExtractorV2.makesession = session
    model = DocumentLayoutAnalyzer.get_model(feature_set_name=FEATURES, imf_model_path="")
    pymupdf._get_layout = model.predict
    return model


def session(path: str, providers: list[str] | None = None) -> Any:
    """Return a model that runs on one thread."""
    import onnxruntime  # type: ignore[import-untyped]

    options = onnxruntime.SessionOptions()
    options.enable_cpu_mem_arena = False
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(path, sess_options=options, providers=providers)


def regions_of(page: Any) -> list[Region]:
    """Return the regions that the model sees on `page`, tables with their grid."""
    return [_region(found) for found in _model().predict(page, return_raw=True)]


def _region(found: dict[str, Any]) -> Region:
    x0, y0, x1, y1 = (float(value) for value in found["group_bbox"])
    role = found["class_name"]
    return Region((x0, y0, x1, y1), KINDS[role], _grid(found, (x0, y0)), role=role)


def _grid(found: dict[str, Any], origin: tuple[float, float]) -> Grid | None:
    """Return the inner rules; the model gives them relative to the table's corner."""
    grid = found.get("table_grid")
    if found["class_name"] != "table" or grid is None:
        return None
    x0, y0 = origin
    return Grid(tuple(y0 + float(y) for y in grid.h_lines), tuple(x0 + float(x) for x in grid.v_lines))


def page_box(page: Any) -> Box:
    """Return the page's rectangle, its corner at (0, 0)."""
    return 0.0, 0.0, float(page.rect.width), float(page.rect.height)
