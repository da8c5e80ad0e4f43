"""Tesseract: text in pictures. It runs as a separate program, so threads can run several at once.

Its time and memory count as those of its worker. Outside workers, its own time limit ends a run that hangs.
"""

import hashlib
import re
import shutil
import signal
import subprocess
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from schemas.errors import NO_MEMORY, InputError, LimitError, ServiceError
from tasks.parse.page_errors import REFUSED_MEMORY
from tasks.parse.scans.words import OcrWord
from tasks.workers.environment import of_workers

if TYPE_CHECKING:
    from PIL.Image import Image

INSTALL = "apt-get install tesseract-ocr"
ORIENTATION = "osd"
"""Name of Tesseract's data for page orientation."""
WALL_SECONDS = 1000
"""Wall-clock limit for one picture. It is ample even on a machine with ten busy processes per core."""


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
    """Return the facts about Tesseract that change its output: its version, and the digest of each language's data.

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
        raise InputError(f"Tesseract does not report where its language data are: install it again ({INSTALL})")
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
    done = subprocess.run([program, option], capture_output=True, text=True, timeout=60, check=False, env=of_workers())
    return done.stdout + done.stderr


def read_words(picture: "Image", languages: str, mode: int = 3) -> list[OcrWord]:
    """Return the words in `picture`. `mode` is Tesseract's page segmentation: 3 for a page, 11 for scattered text.

    Raises:
        pytesseract.TesseractError: Tesseract could not read the picture.
        LimitError: it took too long or needed too much memory.
        ServiceError: it cannot be run now.
    """
    return _words(_ask("image_to_data", picture, lang=languages, config=f"--psm {mode}"))


def upright_turn(picture: "Image") -> int | None:
    """Return the clockwise rotation in degrees that makes the picture upright; None if it has too little text.

    Raises:
        LimitError, ServiceError: as `read_words` does.
    """
    import pytesseract

    try:
        return int(_ask("image_to_osd", picture)["rotate"])
    except pytesseract.TesseractError:
        return None


def _ask(function: str, picture: "Image", **options: Any) -> dict[str, Any]:
    """Return the answer of a function of pytesseract; the program gets the environment of workers and runs on one thread."""
    import pytesseract

    pytesseract.pytesseract.environ = of_workers()
    plain = picture.convert("L")
    plain.format = "PPM"
    try:
        found: dict[str, Any] = getattr(pytesseract, function)(
            plain, timeout=WALL_SECONDS, output_type=pytesseract.Output.DICT, **options
        )
    except pytesseract.TesseractError as error:
        if error.status == -signal.SIGKILL or REFUSED_MEMORY.search(error.message):
            raise LimitError(f"{NO_MEMORY} (Tesseract)") from error
        raise
    except RuntimeError as error:  # how pytesseract reports its timeout
        raise LimitError(f"Tesseract did not finish one picture within {WALL_SECONDS} s: run again") from error
    except OSError as error:
        raise ServiceError(f"Tesseract cannot be run: {error}: run again") from error
    return found


def _words(found: dict[str, list[Any]]) -> list[OcrWord]:
    columns = ("text", "conf", "left", "top", "width", "height", "block_num", "par_num", "line_num")
    rows = zip(*(found.get(column, ()) for column in columns), strict=True)
    return [
        OcrWord(str(text), (x, y, x + w, y + h), min(1.0, float(conf) / 100), (block, par), line)
        for text, conf, x, y, w, h, block, par, line in rows
        if str(text).strip() and float(conf) >= 0
    ]
