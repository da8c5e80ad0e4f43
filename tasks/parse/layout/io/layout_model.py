"""The layout model that comes with PyMuPDF. It finds text, headings, tables and pictures on a page."""

from collections.abc import Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from tasks.parse.layout.geometry import Box
from tasks.parse.layout.io.form_fields import readable_fields
from tasks.parse.layout.io.layout_inputs import PageInputs, page_inputs
from tasks.parse.layout.io.onnx_weights import weights_of
from tasks.parse.layout.io.table_grids import grid_in
from tasks.parse.layout.network import Network, PageGraph
from tasks.parse.layout.regions import Region

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
SAME_REGION = 0.55
"""Two lines belong to one region if the model says so with a larger probability."""

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
def _network() -> Network:
    """Return the network of the model, which runs here in a third of the time."""
    model = _model()
    return Network(weights_of(Path(model.session._model_path)), model.cfg["model"]["sample_k"])


@cache
def _grids() -> Any:
    """Return the model for grids of tables, taken out of the other model, which would run it on the picture of every page."""
    model = _model()
    grids, model.table_grid_extractor = model.table_grid_extractor, None
    return grids


def session(path: str, providers: list[str] | None = None) -> Any:
    """Return a model that runs on one thread.

    That for grids of tables keeps its memory for the next table, which is a third faster: its pictures are all of one size.
    Pages are not, and the other model would keep what its largest page took.
    """
    import onnxruntime  # type: ignore[import-untyped]

    options = onnxruntime.SessionOptions()
    options.enable_cpu_mem_arena = "table_grid" in path
    options.enable_mem_pattern = False
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(path, sess_options=options, providers=providers)


class _ReadablePage:
    """A page that hides form fields that cannot be read, so that they do not make it fail."""

    def __init__(self, page: Any) -> None:
        self._page = page

    def __getattr__(self, name: str) -> Any:
        return getattr(self._page, name)

    def widgets(self) -> Iterator[Any]:
        return readable_fields(self._page)


def load() -> None:
    """Load both models, once per process. It takes a second."""
    _grids()
    _network()


def regions_of(page: Any, styled: bool = True) -> list[Region]:
    """Return the regions that the model finds on `page`, tables with their grid; `styled` as in `page_inputs`."""
    load()
    inputs = page_inputs(_ReadablePage(page), _model().cfg["data"]["rf_names"], styled)
    found = _groups(page, inputs) if inputs.boxes else []
    picture = _picture(page) if any(group["class_name"] == "table" for group in found) else None
    return [_region(group, inputs, picture) for group in found]


def table_in(page: Any, box: Box, lines: Sequence[Box]) -> Region:
    """Return the region of a table that is known to fill `box`, which contains `lines` of text, with its grid."""
    return Region(box, "table", partial(grid_in, _grids(), lines, box, _picture(page)), role="table")


def _groups(page: Any, inputs: PageInputs) -> list[dict[str, Any]]:
    """Return the groups of lines that the model makes regions of, in its order."""
    from pymupdf.layout.common_util import get_edge_matrix, group_node_by_edge

    model = _model()
    boxes, graph = _as_graph(inputs)
    kinds, pairs = map(_probabilities, _network().scores(graph))
    labels = kinds.argmax(axis=1)
    together = (pairs[:, 1] > SAME_REGION).astype(np.int64) if pairs.size else np.empty(0, np.int64)
    matrix = get_edge_matrix(len(boxes), graph.pairs, together)
    groups = group_node_by_edge(labels, kinds.max(axis=1), matrix, boxes, model.class_priority_list)
    for group in groups:
        group["class_name"] = model.data_class_names[group["group_class"]]
    detected = [[*group["group_bbox"], group["class_name"]] for group in groups]
    detected, groups = model._merge_overlapping_pictures(detected, groups)
    return [groups[at] for at in model.sorter.sort(page, groups, detected)]


def _as_graph(inputs: PageInputs) -> tuple[Any, PageGraph]:
    """Return the boxes of lines, and what the network takes."""
    from pymupdf.layout.common_util import get_boxes_transform
    from pymupdf.layout.pymupdf_util_edge import build_edge_index, get_edge_attr, get_edge_dim

    kind = _model().cfg["model"]["option"]["edge_type"]
    boxes = np.array(inputs.boxes, dtype=np.float32)
    if len(boxes) == 1:
        edges, relations = np.zeros((2, 1), np.int64), np.zeros((1, get_edge_dim(kind)), np.float32)
    else:
        pairs = build_edge_index(boxes)
        relations = get_edge_attr(boxes, pairs, kind)
        edges = np.array(pairs, dtype=np.int64).T
    places = np.asarray(get_boxes_transform(inputs.boxes), np.float32)
    return boxes, PageGraph(places, inputs.features, inputs.patterns, edges, np.asarray(relations, np.float32))


def _probabilities(scores: Any) -> Any:
    """Return the softmax of each row."""
    if not scores.size:
        return scores
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def _picture(page: Any) -> Any:
    pixmap = page.get_pixmap()
    return np.frombuffer(pixmap.samples, dtype=np.uint8).reshape(pixmap.height, pixmap.width, pixmap.n)


def _region(group: dict[str, Any], inputs: PageInputs, picture: Any) -> Region:
    x0, y0, x1, y1 = (float(value) for value in group["group_bbox"][:4])
    role = group["class_name"]
    lines = [inputs.boxes[at] for at in group["indicies"]]
    grid = partial(grid_in, _grids(), lines, (x0, y0, x1, y1), picture) if role == "table" else None
    return Region((x0, y0, x1, y1), KINDS[role], grid, role=role)


def page_box(page: Any) -> Box:
    """Return the page's rectangle, its corner at (0, 0)."""
    return 0.0, 0.0, float(page.rect.width), float(page.rect.height)
