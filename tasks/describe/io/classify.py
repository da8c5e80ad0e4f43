"""Figure classification by CLIP: a figure's type and its picture's vector. Runs in the flow's process, to load the model once."""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow as pa

from schemas.corpus import Corpus
from schemas.options.sections import DescribeOptions
from tasks.describe.figure_types import FigureClass, FigureType, label_vectors, nearest_types
from tasks.describe.io import figure_ocr
from tasks.describe.io.clip import Clip, Vectors
from tasks.describe.io.describe import FigureOnPage, chosen_figures
from tasks.store.objects.private import local_of

AT_ONCE = 64
"""Pictures of a document that are in memory together, encoded and as input of the model."""
Unreadable = (OSError, ValueError, SyntaxError)
"""What opening a file that is not a picture raises."""


def classify_pictures(images: Sequence[bytes], options: DescribeOptions) -> list[FigureClass]:
    """Return the class of each picture. Equal pictures are classified once; one that cannot be read has an empty class.

    Raises:
        InputError: the CLIP model cannot be used.
    """
    if not images:
        return []
    clip = Clip(options.clip_model, options.device)
    prepared: dict[str, Any] = {}
    digests = [sha256(image).hexdigest() for image in images]
    for digest, image in zip(digests, images, strict=True):
        if digest not in prepared:
            prepared[digest] = _prepared(clip, image)
    readable = [digest for digest, pixels in prepared.items() if pixels is not None]
    vectors = clip.pictures([prepared[digest] for digest in readable])
    found = nearest_types(vectors, _labels(options), options.labels, clip.scale, options.min_type_confidence) if readable else []
    classes = {digest: _figure_class(typed, vector) for digest, typed, vector in zip(readable, found, vectors, strict=True)}
    return [classes.get(digest, FigureClass()) for digest in digests]


def classify_figures(parsed: pa.Table, options: DescribeOptions) -> dict[int, FigureClass]:
    """Return the classes of the figures in a table of PARSED, by index, without decorations. Few are in memory at once."""
    figures = parsed["figures"][0].values
    images = figures.field("image")
    places = parsed["elements"][0].values.take(figures.field("position"))
    digests = [sha256(image.as_buffer()).hexdigest() for image in images]
    rows = zip(digests, places.field("page_number").to_pylist(), places.field("bbox").to_pylist(), strict=True)
    chosen = chosen_figures([FigureOnPage(*row) for row in rows], len(parsed["pages"][0]), options)
    classes: dict[int, FigureClass] = {}
    for at in range(0, len(chosen), AT_ONCE):
        part = chosen[at : at + AT_ONCE]
        classes |= zip(part, classify_pictures([images[index].as_py() for index in part], options), strict=True)
    return classes


def ocr_cache_of(corpus: Corpus, recipe: str) -> Path:
    """Return the folder, on this machine, for what OCR read in a corpus's pictures, so that equal pictures are read once."""
    return local_of(corpus.readings) / recipe


def _figure_class(typed: FigureType, vector: Any) -> FigureClass:
    return FigureClass(typed.kind, typed.confidence, tuple(map(float, vector)))


def _prepared(clip: Clip, image: bytes) -> Any:
    try:
        return clip.prepare(figure_ocr.open_picture(image))
    except Unreadable:
        return None


def _labels(options: DescribeOptions) -> Vectors:
    return _label_vectors(options.clip_model, options.device, options.labels, options.prompts)


@lru_cache(maxsize=4)
def _label_vectors(model: str, device: str, labels: tuple[str, ...], prompts: tuple[str, ...]) -> Vectors:
    clip = Clip(model, device)
    return label_vectors([clip.texts([prompt.format(label) for prompt in prompts]) for label in labels])
