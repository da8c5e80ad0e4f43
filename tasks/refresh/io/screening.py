"""Screening: personal data in the rows of parse and describe, before they are staged; the key of its hashes."""

import os
import secrets
from collections.abc import Sequence
from functools import lru_cache, partial
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple, cast

import pyarrow as pa

from schemas.conform import make_table_from_rows
from schemas.corpus import Corpus
from schemas.errors import CorpusError, DocumentError, InputError
from schemas.options.pii import PiiOptions
from schemas.options.sections import DescribeOptions, ParseOptions, RefreshOptions
from schemas.records import NO_PROPERTIES, DescribedDocument, ParsedDocument, PiiFinding, Reason
from schemas.staged import DESCRIBED, PARSED, PII_FINDINGS
from tasks.parse.rejections import reason, refusal
from tasks.store import files

if TYPE_CHECKING:
    from tasks.pii.documents import Piece, Screen
    from tasks.pii.recognisers import NamesRecogniser

KEY_VARIABLE = "PAGEMILL_PII_KEY"
"""Environment variable that holds the key of the hashes, where it is not kept in the corpus."""

GROUP = "pagemill.names"
"""The entry points of packages that find names: each is a function of a text that returns half-open spans of names in it."""

FINDINGS = pa.schema([PII_FINDINGS])


class Screening(NamedTuple):
    """What a worker process needs to look for personal data: the options, how pictures are read, and the key of the hashes."""

    pii: PiiOptions
    parse: ParseOptions
    describe: DescribeOptions
    key: bytes


def list_screened_schemas(options: RefreshOptions) -> dict[str, pa.Schema]:
    """Return the schemas of what parse and describe stage."""
    added = [PII_FINDINGS] if options.pii.actions else []
    return {"parse": pa.schema([*PARSED, *added]), "describe": pa.schema([*DESCRIBED, *added])}


def place_key(corpus: Corpus) -> Path:
    """Return the file that holds the key of a corpus's hashes; a candidate has that of the corpus that it may replace."""
    return (corpus.home or corpus).marker("pii.key")


def ensure_key(corpus: Corpus) -> None:
    """Draw the key of a corpus, for this user alone, unless there is one. Call it under the lock of the corpus."""
    place = place_key(corpus)
    if os.environ.get(KEY_VARIABLE) or place.exists():
        return
    files.write_atomically(place, secrets.token_hex(32).encode())
    if not corpus.is_in_store:
        place.chmod(0o600)


def make_screening(corpus: Corpus, options: RefreshOptions) -> Screening | None:
    """Return what is looked for in a corpus's documents; None: nothing.

    Raises:
        CorpusError: its key is gone.
    """
    if not options.pii.actions:
        return None
    try:
        key = os.environ.get(KEY_VARIABLE, "").encode() or place_key(corpus).read_bytes()
    except FileNotFoundError as error:
        raise CorpusError(f"{place_key(corpus)} is gone while a refresh runs: run it again, or set {KEY_VARIABLE}") from error
    return Screening(options.pii, options.parse, options.describe, key)


def screen_parsed(row: pa.Table, screening: Screening | None) -> pa.Table:
    """Return a row of PARSED as it may be staged, with what was found."""
    if screening is None:
        return row
    document = cast(ParsedDocument, row.to_pylist()[0])
    screen = make_screen(screening.pii, screening.key)
    text = " ".join(element["text"] for element in document["elements"])
    kept, found = screen.screen_parsed(document, partial(_read_pictures, screening, text))
    if refused := screen.list_refusals(found):
        kept = {**document, "text": None, "properties": NO_PROPERTIES, "pages": [], "elements": [], "figures": []}
        kept["rejects"], found = [_refuse("parse", refused)], []
    return make_table_from_rows([{**kept, "pii_findings": found}], pa.schema([*PARSED, PII_FINDINGS]))


def screen_described(row: pa.Table, parsed: pa.Table, screening: Screening | None) -> pa.Table:
    """Return a row of DESCRIBED as it may be staged, with what was found in it and in the row of `parsed`."""
    if screening is None:
        return row
    screen = make_screen(screening.pii, screening.key)
    before = cast(Sequence[PiiFinding], parsed["pii_findings"][0].as_py())
    kept, found = screen.screen_described(cast(DescribedDocument, row.to_pylist()[0]), before)
    if refused := screen.list_refusals(found):
        kept, found = {"text": "", "elements": [], "figures": [], "rejects": [_refuse("describe", refused)]}, []
    return make_table_from_rows([{**kept, "pii_findings": found}], pa.schema([*DESCRIBED, PII_FINDINGS]))


def _refuse(step: str, found: Sequence[PiiFinding]) -> Reason:
    """Return why a document is rejected: which kinds stand on which pages, and never a value."""
    pages: dict[str, set[int]] = {}
    for one in found:
        pages.setdefault(one["kind"], set()).add(one["page_number"])
    kinds = "; ".join(f"{kind} {_name_pages(numbers)}" for kind, numbers in sorted(pages.items()))
    remedy = "take it out of the document, exclude the document, or set pii.kinds to redact or report for this kind"
    return reason(step, refusal(DocumentError, f"the document holds personal data: {kinds}", remedy))


def _name_pages(numbers: set[int]) -> str:
    """Return where something is, the first ten pages.

    >>> _name_pages({3, 1}), _name_pages({0})
    ('on page 1, 3', 'in its properties')
    """
    pages = sorted(numbers - {0})
    named = "on page " + ", ".join(map(str, pages[:10])) + (f" and {len(pages) - 10} more" if len(pages) > 10 else "")
    return " and ".join([*([named] if pages else []), *(["in its properties"] if 0 in numbers else [])])


def make_screen(pii: PiiOptions, key: bytes) -> "Screen":
    """Return what the options say is looked for, with the key of its hashes.

    Raises:
        InputError: no installed package finds names as `pii.names` says.
    """
    from tasks.pii.documents import Screen
    from tasks.pii.recognisers import make_recognisers

    return Screen(make_recognisers(pii.actions, pii.patterns, load_names(pii.names) if pii.names else None), pii.actions, key)


@lru_cache(maxsize=2)
def load_names(name: str) -> "NamesRecogniser":
    """Return the recogniser of names that a package provides.

    Raises:
        InputError: no installed package has it.
    """
    recogniser: NamesRecogniser = _find_names(name).load()
    return recogniser


def find_names_version(name: str) -> str:
    """Return the name and version of the package that finds names, which change results as options do.

    Raises:
        InputError: no installed package has it.
    """
    package = _find_names(name).dist
    return f"{package.name} {package.version}" if package else ""


def _find_names(name: str) -> EntryPoint:
    for found in entry_points(group=GROUP, name=name):
        return found
    known = ", ".join(sorted({found.name for found in entry_points(group=GROUP)})) or "none"
    raise InputError(f"pii.names is {name!r}, and no installed package has that entry point of {GROUP}; there are: {known}")


def _read_pictures(screening: Screening, around: str, images: Sequence[bytes]) -> "list[list[Piece]]":
    """Return the lines that OCR reads in pictures, as scattered words and as a page: a value that either sees is painted over.

    They are read in the language of the text `around` them, if OCR chooses it. Nothing is read of one that cannot be
    opened: describe keeps nothing of it, and says so.
    """
    from tasks.describe.io import figure_ocr
    from tasks.parse.layout.geometry import as_struct
    from tasks.parse.scans.io import tesseract
    from tasks.parse.scans.scripts import AUTO, reader_of

    given, least = screening.parse.ocr_languages, screening.describe.min_page_confidence
    languages = reader_of(around, tesseract.installed()) if given == AUTO else given
    modes = [figure_ocr.OcrMode(languages, least, chart=True, page=page) for page in (False, True)]
    found: list[list[Piece]] = [[] for _ in images]
    with TemporaryDirectory(prefix="figures_") as folder:
        views: list[tuple[int, figure_ocr.FigureViews]] = []
        for at, image in enumerate(images):
            try:
                picture = figure_ocr.open_picture(image)
            except (OSError, ValueError, SyntaxError):
                continue
            for mode in modes:
                place = Path(folder, f"{at}-{mode.page}")
                place.mkdir()
                views.append((at, figure_ocr.write_views(picture, mode, place)))
        for (at, view), reading in zip(views, figure_ocr.read_figures([view for _, view in views]), strict=True):
            if isinstance(reading, Exception):
                raise reading
            scale = view.width / reading.size[0]
            for text, (x0, y0, x1, y1), *_ in reading.lines:
                found[at].append((text, as_struct((x0 * scale, y0 * scale, x1 * scale, y1 * scale))))
    return found
