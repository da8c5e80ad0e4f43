"""Describe images: describe picture files like figures of a document, without a corpus."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from schemas.errors import InputError, PagemillError
from schemas.options.sections import RefreshOptions
from tasks.describe import figure_words
from tasks.describe.figure_types import UNSURE, FigureClass
from tasks.describe.io.classify import classify_pictures
from tasks.describe.io.clip_files import find_clip_folder
from tasks.describe.io.describe import OCR_THREADS
from tasks.describe.io.examine import FigureFindings, FigureToExamine, OcrSettings, examine_figures, with_language_of
from tasks.parse.scans.io.tesseract import check_tesseract

AT_ONCE = 32
"""How many pictures are in memory at the same time."""


def describe_images(paths: Sequence[Path], options: RefreshOptions) -> Iterator[dict[str, object]]:
    """Yield, for each picture in order: path, type, confidence in [0, 1], ocr_text, description, and error or null.

    Raises:
        InputError: a path is not a file, or Tesseract or the CLIP model is missing; raised before any picture is read.
    """
    for path in paths:
        if not path.is_file():
            raise InputError(f"{path} is not a file: name pictures")
    check_tesseract(options.parse.ocr_languages)
    find_clip_folder(options.describe.clip_model)
    settings = with_language_of("", OcrSettings(options.describe, options.parse))
    with ThreadPoolExecutor(OCR_THREADS) as threads:
        for at in range(0, len(paths), AT_ONCE):
            images = [_read_image_file(path) for path in paths[at : at + AT_ONCE]]
            classes = classify_pictures([image for image, _ in images], options.describe)
            findings = threads.map(partial(_read_words_in_picture, settings), images, classes)
            for path, figure_class, found in zip(paths[at : at + AT_ONCE], classes, findings, strict=True):
                yield _make_image_row(path, figure_class, found)


def _read_image_file(path: Path) -> tuple[bytes, str]:
    """Return the content of a file and no error, or no content and the reason why it cannot be read."""
    try:
        return path.read_bytes(), ""
    except OSError as error:
        return b"", f"the file cannot be read ({error.strerror})"


def _read_words_in_picture(settings: OcrSettings, read_image: tuple[bytes, str], figure_class: FigureClass) -> FigureFindings:
    image, problem = read_image
    if problem:
        return FigureFindings("", b"", problem=problem)
    figure = FigureToExamine({"image": image, "words": [], "raster": 1.0}, "", figure_class)
    try:
        return examine_figures([figure], settings)[0]
    except PagemillError as error:
        return FigureFindings("", b"", problem=str(error))


def _make_image_row(path: Path, figure_class: FigureClass, findings: FigureFindings) -> dict[str, object]:
    row: dict[str, Any] = {"path": str(path), "type": None, "confidence": None, "ocr_text": "", "description": "", "error": None}
    if findings.problem:
        return row | {"error": f"cannot be described: {findings.problem}"}
    sure = figure_class.confidence if figure_class.kind != UNSURE else None
    description = figure_words.describe_figure(figure_class.kind, sure, findings.parts, None, findings.text)
    return row | {
        "type": figure_class.kind,
        "confidence": figure_class.confidence,
        "ocr_text": findings.text,
        "description": description,
    }
