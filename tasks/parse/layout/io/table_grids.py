"""The model for grids of tables that comes with PyMuPDF: it guesses the inner rules of a table from its picture.

What PyMuPDF does around the model is done here with less work, and equally but for rounding: the picture is scaled one side after
the other, only what is used of the results is asked for, and lines of text are not put into cells.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tasks.parse.layout.geometry import Box
from tasks.parse.layout.regions import Grid

Array = np.ndarray[Any, Any]
RESULTS = ("h_on_logit", "h_offset", "v_on_logit", "v_offset")
"""For both directions, scores of evenly spaced places for being near a rule, and how far away the rule is."""


def grid_in(model: Any, lines: Sequence[Sequence[float]], box: Box, picture: Array) -> Grid | None:
    """Return the inner rules of the table in `box`, which contains `lines` of text; `picture` is the page, a pixel a point."""
    x0, y0, x1, y1 = box
    part = picture[max(0, int(y0)) : int(y1), max(0, int(x0)) : int(x1)]
    if not part.size:
        return None
    scores, offsets, scores_across, offsets_across = model._grid_sess.run(RESULTS, {"image": _scaled(part, model)})
    boxes = np.asarray(lines, np.float32) - np.array([x0, y0, x0, y0], np.float32)
    middles, centres = ((boxes[:, n] + boxes[:, n + 2]) / 2 for n in (1, 0))
    ys = _rules(model, (scores[0], offsets[0], model.h_on_threshold), middles, part.shape[0])
    xs = _rules(model, (scores_across[0], offsets_across[0], model.v_on_threshold), centres, part.shape[1])
    return Grid(tuple(y0 + y for y in ys), tuple(x0 + x for x in xs))


def _scaled(part: Array, model: Any) -> Array:
    """Return a picture (height, width, 3) as the model takes it: (1, 3, its height, its width), from 0 to 1, blue last."""
    tall = _between(part.reshape(len(part), -1), model._input_h, axis=0).reshape(model._input_h, *part.shape[1:])
    colours = np.ascontiguousarray(tall.transpose(2, 0, 1)[::-1])
    scaled = np.trunc(_between(colours, model._input_w, axis=2))
    scaled /= np.float32(255)
    return scaled[None]


def _between(picture: Array, size: int, axis: int) -> Array:
    """Return the picture with `size` places along an axis, each between the two nearest of what it has."""
    n = picture.shape[axis]
    at = (np.arange(size) + 0.5) * (n / size) - 0.5
    low = np.floor(at).astype(int)
    share = (at - low).astype(np.float32).reshape([size if axis == other else 1 for other in range(picture.ndim)])
    places = (np.clip(low + step, 0, n - 1) for step in (0, 1))
    before, after = (picture.take(place, axis).astype(np.float32, copy=False) for place in places)
    result: Array = after
    result -= before
    result *= share
    result += before
    return result


def _rules(model: Any, found: tuple[Array, Array, float], centres: Array, length: int) -> list[float]:
    """Return the places of rules in pixels that have the centre of a line of text on both sides and between each other."""
    from pymupdf.layout.onnx.TableGridExtractorV2 import _decode_anchors

    scores, offsets, least = found
    shares, likelihoods, _ = _decode_anchors(scores, offsets, least, model.nms_min_dist)
    places = np.linspace(0, 1, len(likelihoods), dtype=np.float32)
    rated = [(float(y) * length, float(likelihoods[np.abs(places - y).argmin()]), 1) for y in shares]
    rules = [at for at, _, _ in model._filter_empty_lines(rated, centres.tolist(), length)]
    inside = centres[(centres >= 0) & (centres <= length)]
    if not inside.size:
        return []
    return [at for at in rules if inside.min() <= at <= inside.max()]
