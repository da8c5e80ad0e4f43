"""Figure classification by CLIP: a figure's type and its picture's vector. Runs in the flow's process, to load the model once."""

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from schemas.corpus import Corpus
from schemas.options.sections import DescribeOptions
from tasks.describe.figure_types import FigureClass, FigureType, average_label_vectors, find_nearest_types
from tasks.describe.io import figure_ocr
from tasks.describe.io.clip import Clip, Vectors
from tasks.describe.io.describe import FigureOnPage, choose_figures
from tasks.store.files import find_local_path
from tasks.workers.threads import prefetch_items

Pixels: TypeAlias = NDArray[np.float32]

AT_ONCE = 64
"""Pictures of a document that the model gets together. As many more are decoded meanwhile."""
Unreadable = (OSError, ValueError, SyntaxError)
"""What opening a file that is not a picture raises."""


def classify_pictures(images: Sequence[bytes], options: DescribeOptions) -> list[FigureClass]:
    """Return the class of each picture. Equal pictures are classified once; one that cannot be read has an empty class.

    Raises:
        InputError: the CLIP model cannot be used.
    """
    return _classify_by_digest([sha256(image).hexdigest() for image in images], images.__getitem__, options)


def classify_figures(parsed: pa.Table, options: DescribeOptions) -> dict[int, FigureClass]:
    """Return the classes of the figures in a table of PARSED, by index, without decorations. Few are in memory at once."""
    figures = parsed["figures"][0].values
    images = figures.field("image")
    places = parsed["elements"][0].values.take(figures.field("position"))
    digests = [sha256(image.as_buffer()).hexdigest() for image in images]
    rows = zip(digests, places.field("page_number").to_pylist(), places.field("bbox").to_pylist(), strict=True)
    chosen = choose_figures([FigureOnPage(*row) for row in rows], len(parsed["pages"][0]), options)
    classes = _classify_by_digest([digests[index] for index in chosen], lambda n: images[chosen[n]].as_py(), options)
    return dict(zip(chosen, classes, strict=True))


def _classify_by_digest(digests: Sequence[str], read: Callable[[int], bytes], options: DescribeOptions) -> list[FigureClass]:
    """Return the class of each picture; `read` returns the nth. While the model sees AT_ONCE of them, the next are decoded."""
    if not digests:
        return []
    clip = Clip(options.clip_model, options.device)
    places = {digest: n for n, digest in enumerate(digests)}
    distinct = [*places]
    parts = (distinct[at : at + AT_ONCE] for at in range(0, len(distinct), AT_ONCE))
    classes: dict[str, FigureClass] = {}
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as cores:
        decoded = (
            dict(zip(part, cores.map(lambda digest: _prepare_picture(clip, read(places[digest])), part), strict=True))
            for part in parts
        )
        for pictures in prefetch_items(decoded):
            classes |= _classify_pixels(
                clip, {digest: pixels for digest, pixels in pictures.items() if pixels is not None}, options
            )
    return [classes.get(digest, FigureClass()) for digest in digests]


def _classify_pixels(clip: Clip, pictures: Mapping[str, Pixels], options: DescribeOptions) -> dict[str, FigureClass]:
    """Return the classes of prepared pictures, by digest."""
    if not pictures:
        return {}
    vectors = clip.pictures([*pictures.values()])
    found = find_nearest_types(vectors, _load_labels(options), options.labels, clip.scale, options.min_type_confidence)
    return {digest: _make_figure_class(typed, vector) for digest, typed, vector in zip(pictures, found, vectors, strict=True)}


def place_ocr_cache(corpus: Corpus, recipe: str) -> Path:
    """Return the folder, on this machine, for what OCR read in a corpus's pictures, so that equal pictures are read once."""
    return find_local_path(corpus.readings) / recipe


def _make_figure_class(typed: FigureType, vector: NDArray[np.float32]) -> FigureClass:
    return FigureClass(typed.kind, typed.confidence, tuple(map(float, vector)))


def _prepare_picture(clip: Clip, image: bytes) -> Pixels | None:
    try:
        return clip.prepare(figure_ocr.open_picture(image))
    except Unreadable:
        return None


def _load_labels(options: DescribeOptions) -> Vectors:
    return _compute_label_vectors(options.clip_model, options.device, options.labels, options.prompts)


@lru_cache(maxsize=4)
def _compute_label_vectors(model: str, device: str, labels: tuple[str, ...], prompts: tuple[str, ...]) -> Vectors:
    clip = Clip(model, device)
    return average_label_vectors([clip.texts([prompt.format(label) for prompt in prompts]) for label in labels])
