"""The layout model for scanned pages, which also sees the page's picture: a scan has no fonts and drawings."""

from functools import cache
from typing import TYPE_CHECKING, Any

from tasks.parse.layout.features import SCAN_FEATURES
from tasks.parse.layout.io.layout_model import open_model, region_of_group
from tasks.parse.layout.regions import Region

if TYPE_CHECKING:
    import pymupdf


@cache
def _model() -> Any:
    """Load the model once per process, for the first scanned page."""
    return open_model(SCAN_FEATURES)


def scan_regions_of(page: "pymupdf.Page") -> list[Region]:
    """Return the regions that the model finds on `page` from its words and its picture."""
    return [region_of_group(found) for found in _model().predict(page, return_raw=True)]
