"""Tesseract: text in pictures. It runs as a program of its own, so threads around it suffice.

What it computes counts as its worker's; it has limits of its own for where there is no worker.
"""

import hashlib
import io
import re
import resource
import shutil
import signal
import subprocess
from contextlib import suppress
from functools import cache
from pathlib import Path
from subprocess import PIPE
from typing import TYPE_CHECKING, Any

from schemas.errors import InputError, LimitError, ServiceError
from tasks.adapters.environment import of_workers
from tasks.adapters.page_errors import REFUSED_MEMORY
from tasks.transforms.ocr_words import OcrWord

if TYPE_CHECKING:
    from PIL.Image import Image

INSTALL = "apt-get install tesseract-ocr"
ORIENTATION = "osd"
"""Name of the data by which Tesseract tells how a page is turned."""
COMPLAINT_CHARS = 200
CPU_SECONDS = 100
"""One picture. More than any sensible page takes, less than the limit for a page without progress."""
WALL_SECONDS = 1000
"""The same by the clock, on a machine with ten times as many busy processes as cores."""


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
    _, answer, complaint = _run([_program(), option], b"")
    return (answer + complaint).decode(errors="replace")


def _program() -> str:
    program = shutil.which("tesseract")
    if program is None:
        raise InputError(f"Tesseract is not installed: {INSTALL}")
    return program


class TesseractError(RuntimeError):
    """Tesseract cannot read a picture, and would not on another try."""


def read_words(picture: "Image", languages: str, mode: int = 3) -> list[OcrWord]:
    """Return the words in `picture`. `mode` is Tesseract's page segmentation: 3 for a page, 11 for scattered text.

    Raises:
        TesseractError: Tesseract could not read the picture.
        LimitError: it took too long, or had too little memory.
        ServiceError: it cannot be started now.
    """
    return _words(_read(picture, "-l", languages, "-c", "tessedit_create_tsv=1", "--psm", str(mode)))


def upright_turn(picture: "Image") -> int | None:
    """Return by how many degrees the picture must be turned clockwise to stand upright; None if it has too little text.

    Raises:
        LimitError, ServiceError: as `read_words` does.
    """
    try:
        found = re.search(r"^Rotate: (\d+)", _read(picture, "-l", ORIENTATION, "--psm", "0"), re.MULTILINE)
    except TesseractError:
        return None
    return int(found[1]) if found else None


def _read(picture: "Image", *options: str) -> str:
    """Return what Tesseract writes of a picture. On one thread it is four times as fast."""
    sink = io.BytesIO()
    picture.convert("L").save(sink, "PPM")
    command = [_program(), "stdin", "stdout", *options]
    code, answer, heard = _run(command, sink.getvalue())
    complaint = " ".join(heard.decode(errors="replace").split())[:COMPLAINT_CHARS]
    if code == -signal.SIGXCPU:
        raise LimitError(f"Tesseract computed longer than {CPU_SECONDS} s on one picture: leave it out, or make it smaller")
    if code == -signal.SIGKILL or (code and REFUSED_MEMORY.search(complaint)):
        raise LimitError(f"the machine had no more memory: lower limits.workers (Tesseract: {complaint or 'killed'})")
    if code:
        raise TesseractError(f"Tesseract ended with {code}: {complaint}")
    return answer.decode(errors="replace")


def _run(command: list[str], given: bytes) -> tuple[int, bytes, bytes]:
    """Return the exit code, the output and the complaints of Tesseract, which is held to its limits of time."""
    try:
        process = subprocess.Popen(command, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=of_workers())
    except OSError as error:
        raise ServiceError(f"Tesseract cannot be started: {error}: run again") from error
    with process:
        with suppress(ProcessLookupError):
            resource.prlimit(process.pid, resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 1))
        try:
            answer, complaint = process.communicate(given, WALL_SECONDS)
        except subprocess.TimeoutExpired as error:
            process.kill()
            raise LimitError(f"Tesseract was not done with one picture within {WALL_SECONDS} s: run again") from error
    return process.returncode, answer, complaint


def _words(tsv: str) -> list[OcrWord]:
    header, *rows = [line.split("\t") for line in tsv.split("\n")]
    return [_word(dict(zip(header, row, strict=True))) for row in rows if len(row) == len(header) and row[-1].strip()]


def _word(row: dict[str, str]) -> OcrWord:
    x, y, w, h, block, paragraph, line = (
        int(row[name]) for name in ("left", "top", "width", "height", "block_num", "par_num", "line_num")
    )
    percent = int(float(row["conf"]))
    return OcrWord(row["text"], (x, y, x + w, y + h), min(1.0, percent / 100), (block, paragraph), line)
