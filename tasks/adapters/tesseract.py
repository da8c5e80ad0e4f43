"""Tesseract: text in pictures. It runs as a program of its own, so threads around it suffice."""

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from schemas.errors import InputError
from tasks.transforms.geometry import Box, union
from tasks.transforms.prose import join_lines

if TYPE_CHECKING:
    from PIL.Image import Image

TIMEOUT_SECONDS = 100
"""One picture. Longer than any sensible page takes, shorter than the limit for a page without progress."""
INSTALL = "apt-get install tesseract-ocr"


class OcrWord(NamedTuple):
    """A word as Tesseract read it: place in pixels, confidence in [0, 1], and which paragraph and line it stands in."""

    text: str
    box: Box
    confidence: float
    paragraph: tuple[int, int]
    line: int


class OcrParagraph(NamedTuple):
    """Words that Tesseract takes for one paragraph; the confidence is their mean."""

    text: str
    box: Box
    confidence: float


def check_tesseract(languages: str) -> None:
    """Make sure that Tesseract can read `languages`, its codes joined by `+`.

    Raises:
        InputError: the program or a language is missing; says what to install.
    """
    folder = _tessdata()
    for language in languages.split("+"):
        if not (folder / f"{language}.traineddata").is_file():
            package = f"{INSTALL}-{language.lower().replace('_', '-')}"
            raise InputError(f"Tesseract has no data for language {language!r}: {package}, or change parse.ocr_languages")


def tesseract_facts(languages: str) -> dict[str, Any]:
    """Return what of Tesseract changes its output: version and digest of each language's data.

    Raises:
        InputError: the program or a language is missing; says what to install.
    """
    check_tesseract(languages)
    files = [_tessdata() / f"{language}.traineddata" for language in languages.split("+")]
    return {"version": _version(), "data": {file.stem: _digest(file) for file in files}}


@cache
def _tessdata() -> Path:
    found = re.search(r'languages in "(.*?)"', _output("--list-langs"))
    if found is None:
        raise InputError(f"Tesseract does not tell where its data are: {INSTALL}")
    return Path(found[1])


@cache
def _version() -> str:
    return _output("--version").split("\n", 1)[0].removeprefix("tesseract ")


@cache
def _digest(file: Path) -> str:
    with file.open("rb") as source:
        return hashlib.file_digest(source, "sha256").hexdigest()[:16]


def _output(option: str) -> str:
    program = shutil.which("tesseract")
    if program is None:
        raise InputError(f"Tesseract is not installed: {INSTALL}")
    done = subprocess.run([program, option], capture_output=True, text=True, timeout=60, check=False)
    return done.stdout + done.stderr


def read_words(picture: "Image", languages: str, mode: int = 3) -> list[OcrWord]:
    """Return the words in `picture`. `mode` is Tesseract's page segmentation: 3 for a page, 11 for scattered text.

    Raises:
        TimeoutError: Tesseract took longer than TIMEOUT_SECONDS.
        pytesseract.TesseractError: Tesseract could not read the picture.
    """
    import pytesseract

    os.environ["OMP_THREAD_LIMIT"] = "1"
    picture = picture.convert("L")
    picture.format = "PPM"
    try:
        found = pytesseract.image_to_data(
            picture,
            lang=languages,
            config=f"--psm {mode}",
            timeout=TIMEOUT_SECONDS,
            output_type=pytesseract.Output.DICT,
        )
    except RuntimeError as error:
        if "timeout" not in str(error):
            raise
        raise TimeoutError(f"Tesseract took longer than {TIMEOUT_SECONDS} s") from error
    return _words(found)


def _words(found: dict[str, list[Any]]) -> list[OcrWord]:
    columns = ("text", "conf", "left", "top", "width", "height", "block_num", "par_num", "line_num")
    rows = zip(*(found.get(column, ()) for column in columns), strict=True)
    return [
        OcrWord(str(text), (x, y, x + w, y + h), min(1.0, float(conf) / 100), (block, par), line)
        for text, conf, x, y, w, h, block, par, line in rows
        if str(text).strip() and float(conf) >= 0
    ]


def read_paragraphs(picture: "Image", languages: str) -> list[OcrParagraph]:
    """Return the paragraphs of a page in `picture`, in Tesseract's order. Raises as `read_words` does."""
    words = read_words(picture, languages)
    groups = (list(group) for _, group in groupby(words, key=lambda word: word.paragraph))
    paragraphs = [_paragraph(group) for group in groups]
    return [paragraph for paragraph in paragraphs if any(map(str.isalnum, paragraph.text))]


def _paragraph(words: Sequence[OcrWord]) -> OcrParagraph:
    lines = [" ".join(word.text for word in line) for _, line in groupby(words, key=lambda word: word.line)]
    mean = sum(word.confidence for word in words) / len(words)
    return OcrParagraph(join_lines(lines), union(word.box for word in words), mean)
