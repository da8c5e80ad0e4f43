"""Tesseract: text in pictures. It runs as a program of its own, so threads around it suffice."""

import hashlib
import os
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from schemas.errors import InputError
from tasks.transforms.ocr_words import OcrWord

if TYPE_CHECKING:
    from PIL.Image import Image

TIMEOUT_SECONDS = 100
"""One picture. Longer than any sensible page takes, shorter than the limit for a page without progress."""
INSTALL = "apt-get install tesseract-ocr"
ORIENTATION = "osd"
"""Name of the data by which Tesseract tells how a page is turned."""


def check_tesseract(languages: str) -> None:
    """Make sure that Tesseract can read `languages`, its codes joined by `+`.

    Raises:
        InputError: the program or a language is missing; says what to install.
    """
    folder = _tessdata()
    for language in [*languages.split("+"), ORIENTATION]:
        if not (folder / f"{language}.traineddata").is_file():
            package = f"{INSTALL}-{language.lower().replace('_', '-')}"
            raise InputError(f"Tesseract has no data for language {language!r}: {package}, or change parse.ocr_languages")


def tesseract_facts(languages: str) -> dict[str, Any]:
    """Return what of Tesseract changes its output: version and digest of each language's data.

    Raises:
        InputError: the program or a language is missing; says what to install.
    """
    check_tesseract(languages)
    files = [_tessdata() / f"{language}.traineddata" for language in [*languages.split("+"), ORIENTATION]]
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

    with _in_time():
        found = pytesseract.image_to_data(
            _plain(picture),
            lang=languages,
            config=f"--psm {mode}",
            timeout=TIMEOUT_SECONDS,
            output_type=pytesseract.Output.DICT,
        )
    return _words(found)


def upright_turn(picture: "Image") -> int | None:
    """Return by how many degrees the picture must be turned clockwise to stand upright; None if it has too little text.

    Raises:
        TimeoutError: as `read_words` does.
    """
    import pytesseract

    try:
        with _in_time():
            found = pytesseract.image_to_osd(_plain(picture), timeout=TIMEOUT_SECONDS, output_type=pytesseract.Output.DICT)
    except pytesseract.TesseractError:
        return None
    return int(found["rotate"])


def _plain(picture: "Image") -> "Image":
    plain = picture.convert("L")
    plain.format = "PPM"
    return plain


@contextmanager
def _in_time() -> Iterator[None]:
    with _ONE_THREAD:
        try:
            yield
        except RuntimeError as error:
            if "timeout" not in str(error):
                raise
            raise TimeoutError(f"Tesseract took longer than {TIMEOUT_SECONDS} s") from error


class _OneThread:
    """Keeps programs that are started meanwhile to one thread, which makes Tesseract four times as fast.

    The variable is taken back when the last caller leaves: libraries of this process shall not be bound by it.
    """

    name = "OMP_THREAD_LIMIT"

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._before: str | None = None

    def __enter__(self) -> None:
        with self._lock:
            self._inside += 1
            if self._inside == 1:
                self._before = os.environ.get(self.name)
                os.environ[self.name] = "1"

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1
            if self._inside == 0:
                os.environ.pop(self.name)
                if self._before is not None:
                    os.environ[self.name] = self._before


_ONE_THREAD = _OneThread()


def _words(found: dict[str, list[Any]]) -> list[OcrWord]:
    columns = ("text", "conf", "left", "top", "width", "height", "block_num", "par_num", "line_num")
    rows = zip(*(found.get(column, ()) for column in columns), strict=True)
    return [
        OcrWord(str(text), (x, y, x + w, y + h), min(1.0, float(conf) / 100), (block, par), line)
        for text, conf, x, y, w, h, block, par, line in rows
        if str(text).strip() and float(conf) >= 0
    ]
