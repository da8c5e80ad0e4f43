"""Tesseract: text in pictures. It runs as a separate program, so threads can run several at once.

Its time and memory count as those of its worker. Outside workers, its own time limit ends a run that hangs.
"""

import hashlib
import re
import shutil
import signal
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING, Any, NamedTuple

from schemas.errors import NO_MEMORY, InputError, LimitError, ServiceError
from tasks.parse.page_errors import REFUSED_MEMORY
from tasks.parse.scans.scripts import AUTO, FIRST, known_languages
from tasks.parse.scans.words import OcrWord, with_joined_characters, without_doubtful_spaces
from tasks.workers.environment import make_worker_environment

if TYPE_CHECKING:
    from PIL.Image import Image

INSTALL = "apt-get install tesseract-ocr"
ORIENTATION = "osd"
"""Name of Tesseract's data for the orientation and the script of a page."""
SURE_ORIENTATION = 4.0
"""Smallest confidence of the orientation with which the script counts as told. Specks and broken letters, which look like some
script, lie in no direction: on the unread words of 36 pages in ten scripts it was 5.5 or more, where a page of English was badly
printed 3.5 or less. Tesseract's confidence of the script itself parts them less well (0.2 to 170, and 0 to 1.1)."""
WALL_SECONDS = 1000
"""Wall-clock limit for one picture. It is ample even on a machine with ten busy processes per core."""


class Orientation(NamedTuple):
    """How the text in a picture lies: the clockwise turn in degrees that makes it upright, and the name of its script if sure.

    `guess` is the name of the script in any case.
    """

    turn: int
    script: str | None
    guess: str


def package_of(language: str) -> str:
    """Return the name of the Debian package with the data of a language.

    >>> package_of("chi_sim")
    'tesseract-ocr-chi-sim'
    """
    return f"tesseract-ocr-{language.lower().replace('_', '-')}"


def check_tesseract(languages: str) -> None:
    """Make sure that Tesseract can read `languages`, its codes joined by `+`; for AUTO, the language that it reads first.

    Raises:
        InputError: the program or a language is missing; says what to install.
    """
    for language in _needed(languages):
        if language not in installed():
            remedy = f"apt-get install {package_of(language)}, or change parse.ocr_languages"
            raise InputError(f"Tesseract has no data for language {language!r}: {remedy}")


def tesseract_facts(languages: str) -> dict[str, Any]:
    """Return the facts about Tesseract that change its output: its version, and the digest of each language's data.

    For AUTO these are all installed languages that a page may need, so that an added one reads the pages that lacked it.

    Raises:
        InputError: the program or a language is missing; says what to install.
    """
    check_tesseract(languages)
    more = sorted(known_languages() & installed() - {FIRST}) if languages == AUTO else []
    files = [_tessdata() / f"{language}.traineddata" for language in [*_needed(languages), *more]]
    return {"version": _version(), "data": {file.stem: _digest(file) for file in files}}


def installed() -> frozenset[str]:
    """Return the languages that Tesseract has data for.

    Raises:
        InputError: the program is missing; says what to install.
    """
    return _languages_in(_tessdata())


@cache
def _languages_in(folder: Path) -> frozenset[str]:
    return frozenset(file.stem for file in folder.glob("*.traineddata"))


def _needed(languages: str) -> list[str]:
    return [*(FIRST if languages == AUTO else languages).split("+"), ORIENTATION]


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
    done = subprocess.run(
        [program, option], capture_output=True, text=True, timeout=60, check=False, env=make_worker_environment()
    )
    return done.stdout + done.stderr


def read_words(picture: "Image", languages: str, mode: int = 3) -> list[OcrWord]:
    """Return the words in `picture`. `mode` is Tesseract's page segmentation: 3 for a page, 11 for scattered text.

    Raises:
        pytesseract.TesseractError: Tesseract could not read the picture.
        LimitError: it took too long or needed too much memory.
        ServiceError: it cannot be run now.
    """
    return _words(_ask("image_to_data", picture, lang=languages, config=f"--psm {mode}"))


def write_picture(picture: "Image", file: Path) -> Path:
    """Write a picture for `read_files`, in grey. Return the file.

    Raises:
        OSError: it cannot be written.
    """
    picture.convert("L").save(file, "PPM")
    return file


def read_files(files: Sequence[Path], languages: str, mode: int) -> list[list[OcrWord]]:
    """Return the words in the picture of each file, by one run of Tesseract: its start takes as long as a small picture.

    Raises:
        pytesseract.TesseractError: Tesseract could not read one of them.
        LimitError, ServiceError: as `read_words` does.
    """
    if not files:
        return []
    with NamedTemporaryFile("w", suffix=".txt") as listing:
        listing.writelines(f"{file}\n" for file in files)
        listing.flush()
        found = _ask("image_to_data", listing.name, lang=languages, config=f"--psm {mode}")
    rows = [[n for n, page in enumerate(found.get("page_num", ())) if page == number] for number in range(1, len(files) + 1)]
    return [_words({name: [column[n] for n in mine] for name, column in found.items()}) for mine in rows]


def orientation_of(picture: "Image") -> Orientation | None:
    """Return how the text in the picture lies, and its script; None if it has too little text.

    Raises:
        LimitError, ServiceError: as `read_words` does.
    """
    import pytesseract

    try:
        told = _ask("image_to_osd", picture)
    except pytesseract.TesseractError:
        return None
    sure = float(told["orientation_conf"]) >= SURE_ORIENTATION
    script = str(told["script"])
    return Orientation(int(told["rotate"]), script if sure else None, script)


def _ask(function: str, shown: "Image | str", **options: object) -> dict[str, Any]:
    """Return the answer of a function of pytesseract about a picture, or about those that a file lists.

    The program gets the environment of workers and runs on one thread.
    """
    import pytesseract

    pytesseract.pytesseract.environ = make_worker_environment()
    if not isinstance(shown, str):
        shown = shown.convert("L")
        shown.format = "PPM"
    try:
        found: dict[str, Any] = getattr(pytesseract, function)(
            shown, timeout=WALL_SECONDS, output_type=pytesseract.Output.DICT, **options
        )
    except pytesseract.TesseractError as error:
        if error.status == -signal.SIGKILL or REFUSED_MEMORY.search(error.message):
            raise LimitError(f"{NO_MEMORY} (Tesseract)") from error
        raise
    except RuntimeError as error:  # how pytesseract reports its timeout
        raise LimitError(f"Tesseract did not finish within {WALL_SECONDS} s: run again") from error
    except OSError as error:
        raise ServiceError(f"Tesseract cannot be run: {error}: run again") from error
    return found


def _words(found: dict[str, Sequence[object]]) -> list[OcrWord]:
    columns = ("text", "conf", "left", "top", "width", "height", "block_num", "par_num", "line_num")
    rows = zip(*(found.get(column, ()) for column in columns), strict=True)
    words = [
        OcrWord(str(text), (x, y, x + w, y + h), min(1.0, float(conf) / 100), (block, par), line)
        for text, conf, x, y, w, h, block, par, line in rows
        if str(text).strip() and float(conf) >= 0
    ]
    return without_doubtful_spaces(with_joined_characters(words))
