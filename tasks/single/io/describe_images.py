"""Describe images: picture files, without a corpus, as figures of a document are described."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from schemas.errors import InputError, PagemillError
from schemas.options.sections import RefreshOptions
from tasks.describe import figure_words
from tasks.describe.figure_types import UNSURE, Look
from tasks.describe.io import figure_ocr
from tasks.describe.io.clip_files import clip_dir
from tasks.describe.io.describe import OCR_THREADS, Reader, Seen, read
from tasks.describe.io.look import Unreadable, look_at
from tasks.parse.scans.io.tesseract import check_tesseract

AT_ONCE = 32
"""Pictures whose bytes are held together."""


def describe_images(paths: Sequence[Path], options: RefreshOptions) -> Iterator[dict[str, Any]]:
    """Yield, for each picture in order: path, type, confidence in [0, 1], ocr_text, description, and error or null.

    Raises:
        InputError: a path is no file, or Tesseract or the CLIP model is missing; nothing has been read yet.
    """
    for path in paths:
        if not path.is_file():
            raise InputError(f"{path} is no file: name pictures")
    check_tesseract(options.parse.ocr_languages)
    clip_dir(options.describe.clip_model)
    reader = Reader(options.describe, options.parse.ocr_languages)
    with ThreadPoolExecutor(OCR_THREADS) as threads:
        for at in range(0, len(paths), AT_ONCE):
            images = [_bytes(path) for path in paths[at : at + AT_ONCE]]
            looks = look_at([image for image, _ in images], options.describe)
            seen = threads.map(partial(_see, reader), images, looks)
            for path, look, sight in zip(paths[at : at + AT_ONCE], looks, seen, strict=True):
                yield _row(path, look, sight)


def _bytes(path: Path) -> tuple[bytes, str]:
    """Return what a file holds, or nothing and why it cannot be read."""
    try:
        return path.read_bytes(), ""
    except OSError as error:
        return b"", f"the file cannot be read ({error.strerror})"


def _see(reader: Reader, given: tuple[bytes, str], look: Look) -> Seen:
    image, problem = given
    if problem:
        return Seen("", b"", problem=problem)
    try:
        picture = figure_ocr.open_picture(image)
        return read(picture, image, look.kind, reader) if reader.options.figure_ocr else Seen("", b"")
    except (*Unreadable, RuntimeError, PagemillError) as error:
        return Seen("", b"", problem=str(error) or type(error).__name__)


def _row(path: Path, look: Look, seen: Seen) -> dict[str, Any]:
    row: dict[str, Any] = {"path": str(path), "type": None, "confidence": None, "ocr_text": "", "description": "", "error": None}
    if seen.problem:
        return row | {"error": f"cannot be described: {seen.problem}"}
    sure = look.confidence if look.kind != UNSURE else None
    description = figure_words.describe(look.kind, sure, seen.parts, None, seen.text)
    return row | {"type": look.kind, "confidence": look.confidence, "ocr_text": seen.text, "description": description}
