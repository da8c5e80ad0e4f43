"""The layout model that comes with PyMuPDF. It finds text, headings, tables and pictures on a page."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from tasks.parse.layout.features import DIGITAL_FEATURES
from tasks.parse.layout.geometry import Box
from tasks.parse.layout.io.form_fields import readable_fields
from tasks.parse.layout.io.layout_inputs import PageInputs, page_inputs
from tasks.parse.layout.io.onnx_weights import weights_of
from tasks.parse.layout.network import Network, PageGraph
from tasks.parse.layout.regions import Region

if TYPE_CHECKING:
    import pymupdf

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


def open_model(features: str, **paths: str) -> Any:
    """Load a layout model for a set of features, on one thread: the pool runs one process a core.

    It comes without PyMuPDF's model for grids of tables, since cells are read from words and rules.
    """
    from pymupdf.layout import DocumentLayoutAnalyzer
    from pymupdf.layout.onnx import BoxRFDGNN

    BoxRFDGNN.make_session, BoxRFDGNN.TableGridExtractorV2 = _session, _no_grids
    return DocumentLayoutAnalyzer.get_model(feature_set_name=features, **paths)


def _no_grids(*_: object, **__: object) -> None:
    """Stand in for the model for grids of tables."""


@cache
def _model() -> Any:
    """Load the model once a process, in place of the larger one that PyMuPDF loads when it is imported."""
    import pymupdf
    import pymupdf.layout

    model = open_model(DIGITAL_FEATURES, imf_model_path="")
    pymupdf._get_layout = model.predict
    return model._model


@cache
def _network() -> Network:
    """Return the network of the model, which runs here in a third of the time."""
    model = _model()
    return Network(weights_of(Path(model.session._model_path)), model.cfg["model"]["sample_k"])


def _session(path: str, providers: list[str] | None = None) -> Any:
    """Return a model that runs on one thread, and does not keep the memory that its largest page took."""
    import onnxruntime  # type: ignore[import-untyped]

    options = onnxruntime.SessionOptions()
    options.enable_cpu_mem_arena = options.enable_mem_pattern = False
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(path, sess_options=options, providers=providers)


class _ReadablePage:
    """A page that hides form fields that cannot be read, so that they do not make it fail."""

    def __init__(self, page: "pymupdf.Page") -> None:
        self._page = page

    def __getattr__(self, name: str) -> Any:
        return getattr(self._page, name)

    def widgets(self) -> "Iterator[pymupdf.Widget]":
        return readable_fields(self._page)


def load() -> None:
    """Load the model, once per process. It takes a second."""
    _network()


def regions_of(page: "pymupdf.Page", ruled: bool = True, doubled: bool = True) -> list[Region]:
    """Return the regions that the model finds on `page`; `ruled` and `doubled` as in `page_inputs`."""
    load()
    inputs = page_inputs(cast("pymupdf.Page", _ReadablePage(page)), _model().cfg["data"]["rf_names"], ruled, doubled)
    found = _groups(page, inputs) if inputs.boxes else []
    return [region_of_group(group) for group in found]


def _groups(page: "pymupdf.Page", inputs: PageInputs) -> list[dict[str, object]]:
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


def region_of_group(group: dict[str, Any]) -> Region:
    """Return the region that a group of lines of PyMuPDF's layout models is."""
    x0, y0, x1, y1 = (float(value) for value in group["group_bbox"][:4])
    role = group["class_name"]
    return Region((x0, y0, x1, y1), KINDS[role], spaced=role == "table", role=role)


def page_box(page: "pymupdf.Page") -> Box:
    """Return the page's rectangle, its corner at (0, 0)."""
    return 0.0, 0.0, float(page.rect.width), float(page.rect.height)
