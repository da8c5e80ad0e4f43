"""The layout models that come with PyMuPDF. They find text, headings, tables and pictures on a page.

Pages with text get the smaller model, on inputs of our own, scanned ones PyMuPDF's own call, which takes five times as long.
"""

from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tasks.parse.layout.geometry import Box, area, common, union
from tasks.parse.layout.io.layout_inputs import PageInputs, page_inputs
from tasks.parse.layout.io.network import Graph, Run, network_of
from tasks.parse.layout.page_model import LineClasses, Sight
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
SAME_PICTURE = 0.2
"""Two pictures are one if they have a larger share of what they cover in common."""

KNOWN_VERSION = "2.0"
"""The release of PyMuPDF's models whose file and inputs are those used here, as tests show. Of another, its own call is used."""

MODEL_FILE = "resources/onnx/layout_rf2.4.1"


class _Model(NamedTuple):
    """A model, and the options that it was trained with."""

    scores: Run
    options: dict[str, Any]

    @property
    def names(self) -> list[str]:
        """Return the names of the features, in their order."""
        return list(self.options["data"]["rf_names"])


@cache
def _model() -> _Model:
    """Load the smaller model."""
    import yaml

    folder = files("pymupdf.layout")
    options = yaml.safe_load(folder.joinpath(f"{MODEL_FILE}.yaml").read_text())
    return _Model(network_of(folder.joinpath(f"{MODEL_FILE}.onnx").read_bytes()), options)


def load() -> None:
    """Load the models, once per process. It takes a second."""
    import pymupdf  # noqa: F401  # it loads those of its own call

    if is_known():
        _model()


@cache
def is_known() -> bool:
    """Return whether PyMuPDF's smaller model can be run here."""
    return version("pymupdf_layout") == KNOWN_VERSION


def regions_of(page: "pymupdf.Page", styled: bool = True, segmented: bool = True) -> list[Region]:
    """Return the regions that the smaller model finds on `page`; options as in `page_inputs`."""
    return list(see_layout(page, styled, segmented).seen)


def see_layout(page: "pymupdf.Page", styled: bool = True, segmented: bool = True) -> Sight:
    """Return the regions that the smaller model finds on `page`, and what it thinks of lines; options as in `page_inputs`."""
    if not is_known():
        return Sight(regions_by_pymupdf(page))
    inputs = page_inputs(page, _model().names, styled, segmented)
    return see_lines(inputs) if inputs.boxes else Sight([])


def regions_by_pymupdf(page: "pymupdf.Page") -> list[Region]:
    """Return the regions that PyMuPDF finds on `page` by its own call, from its words and its picture."""
    page.get_layout()
    found: Any = page.layout_information  # PyMuPDF declares it as None
    return [_region((float(x0), float(y0), float(x1), float(y1)), role) for x0, y0, x1, y1, role in found]


def see_lines(inputs: PageInputs) -> Sight:
    """Return the regions that the model makes of lines, of which there must be some, and what it thinks of each."""
    from pymupdf.layout.common_util import get_edge_matrix, group_node_by_edge

    model, graph = _model(), _as_graph(inputs)
    kinds, pairs = map(_probabilities, model.scores(graph))
    together = (pairs[:, 1] > SAME_REGION).astype(np.int64) if pairs.size else np.empty(0, np.int64)
    matrix = get_edge_matrix(len(inputs.boxes), graph["edge_index"], together)
    data = model.options["data"]
    groups = group_node_by_edge(kinds.argmax(axis=1), kinds.max(axis=1), matrix, inputs.boxes, data["class_priority"])
    found = [_region(tuple(group["group_bbox"]), data["class_list"][group["group_class"]]) for group in groups]
    return Sight(with_pictures_merged(found), lines=LineClasses(np.array(inputs.boxes), kinds))


def _as_graph(inputs: PageInputs) -> Graph:
    """Return what the network takes."""
    from pymupdf.layout.common_util import get_boxes_transform
    from pymupdf.layout.pymupdf_util_edge import build_edge_index, get_edge_attr, get_edge_dim

    options, boxes = _model().options["model"], np.array(inputs.boxes, dtype=np.float32)
    kind, n = options["option"]["edge_type"], len(boxes)
    pairs = build_edge_index(boxes) if n > 1 else [(0, 0)]
    relations = get_edge_attr(boxes, pairs, kind) if n > 1 else np.zeros((1, get_edge_dim(kind)))
    return {
        "x": np.asarray(get_boxes_transform(inputs.boxes), np.float32),
        "edge_index": np.array(pairs, dtype=np.int64).reshape(-1, 2).T,
        "edge_attr": np.asarray(relations, np.float32),
        "k": np.array(min(n, options["sample_k"])),
        "batch": np.zeros(n, np.int64),
        "rf_features": inputs.features,
        "text_patterns": inputs.patterns,
    }


def _probabilities(scores: Any) -> Any:
    """Return the softmax of each row."""
    if not scores.size:
        return scores
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def with_pictures_merged(regions: Sequence[Region]) -> list[Region]:
    """Return the regions with one picture in place of those that overlap, be it by others, at the end."""
    rest = [region for region in regions if region.kind != "figure"]
    pictures: list[list[Box]] = []
    for region in regions:
        if region.kind == "figure":
            same = [boxes for boxes in pictures if any(_overlap(box, region.box) > SAME_PICTURE for box in boxes)]
            pictures = [boxes for boxes in pictures if boxes not in same]
            pictures.append([*(box for boxes in same for box in boxes), region.box])
    return [*rest, *(_region(union(boxes), "picture") for boxes in pictures)]


def _overlap(one: Box, other: Box) -> float:
    """Return the share of what two boxes cover that they have in common."""
    shared = area(common(one, other))
    return shared / max(area(one) + area(other) - shared, 1e-9)


def _region(box: Box, role: str) -> Region:
    return Region(box, KINDS[role], spaced=role == "table", role=role)


def page_box(page: "pymupdf.Page") -> Box:
    """Return the page's rectangle, its corner at (0, 0)."""
    return 0.0, 0.0, float(page.rect.width), float(page.rect.height)
