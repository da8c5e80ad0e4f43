"""The layout model for scanned pages, which also sees the page's picture: a scan has no fonts and drawings."""

from functools import cache
from typing import Any

from tasks.parse.layout.io.layout_model import KINDS, session
from tasks.parse.layout.regions import Grid, Region

SCAN_FEATURES = "imf+rf"


@cache
def _model() -> Any:
    """Load the model once per process, on one thread, for the first scanned page."""
    from pymupdf.layout import DocumentLayoutAnalyzer
    from pymupdf.layout.onnx import BoxRFDGNN, TableGridExtractorV2

    BoxRFDGNN.make_session = TableGridExtractorV2.make_session = session
    return DocumentLayoutAnalyzer.get_model(feature_set_name=SCAN_FEATURES)


def scan_regions_of(page: Any) -> list[Region]:
    """Return the regions that the model finds on `page` from its words and its picture, tables with their grid."""
    return [_region(found) for found in _model().predict(page, return_raw=True)]


def _region(found: dict[str, Any]) -> Region:
    x0, y0, x1, y1 = (float(value) for value in found["group_bbox"][:4])
    role, grid = found["class_name"], found.get("table_grid")
    if role != "table" or grid is None:
        return Region((x0, y0, x1, y1), KINDS[role], role=role)
    horizontals, verticals = (tuple(float(v) for v in lines) for lines in (grid.h_lines, grid.v_lines))
    shifted = Grid(tuple(y0 + y for y in horizontals), tuple(x0 + x for x in verticals))
    return Region((x0, y0, x1, y1), KINDS[role], shifted, role=role)
