"""Describe documents: parse and describe them as a refresh does, but without a corpus. All commands for files use this."""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from pathlib import Path

import pyarrow as pa

from schemas.errors import DocumentError, PagemillError
from schemas.options.sections import RefreshOptions
from schemas.records import DescribedDocument as StagedDocument
from schemas.references import Content
from tasks.describe.figure_types import FigureClass
from tasks.describe.io.classify import classify_figures
from tasks.describe.io.describe import describe_content, find_figures_to_describe
from tasks.describe.io.examine import OcrSettings, join_own_and_ocr_words
from tasks.file_tools.rendering import DescribedDocument
from tasks.parse.io.members import map_members
from tasks.parse.io.parse import Tick, parse_content
from tasks.parse.io.ranges import RangedParser
from tasks.workers.pool import WorkerPool, count_workers

Outcome = DescribedDocument | PagemillError


def describe_contents(pool: WorkerPool, contents: Sequence[Content], options: RefreshOptions) -> Iterator[tuple[int, Outcome]]:
    """Yield (index of the content, the described document or why it cannot be described), first done first.

    Workers parse and describe. Figures get their types in this process, which loads the model once, and only if it is needed.

    Raises:
        InputError: the model of figures cannot be used.
    """
    threads = ThreadPoolExecutor(count_workers(options.limits))
    begun: dict[Future[Outcome], int] = {}
    try:
        for index, parsed in map_members(pool, contents, options.parse, RangedParser(options.parse, options.limits, None)):
            begun[threads.submit(_describe_parsed_or_fail, pool, parsed, options)] = index
            for future in [future for future in begun if future.done()]:
                yield begun.pop(future), future.result()
        for future in as_completed(begun):
            yield begun[future], future.result()
    finally:
        threads.shutdown(wait=False, cancel_futures=True)


def describe_file(pool: WorkerPool, path: Path, content: Content, options: RefreshOptions) -> DescribedDocument:
    """Return one described document, the file at `path`. If nothing is to be indexed in it, its `refusal` says so.

    Raises:
        PagemillError: it cannot be read; a DocumentError names the path.
    """
    [(_, found)] = describe_contents(pool, [content], options)
    if isinstance(found, DocumentError):
        raise add_path_to_error(path, found) from found
    if isinstance(found, PagemillError):
        raise found
    if found.refusal and not found.pages:
        raise DocumentError(f"{path}: {found.refusal}")
    return found


def _describe_parsed_or_fail(pool: WorkerPool, parsed: pa.Table | PagemillError, options: RefreshOptions) -> Outcome:
    if isinstance(parsed, PagemillError):
        return parsed
    call = (parsed, OcrSettings(options.describe, options.parse), classify_figures(parsed, options.describe))
    [(_, found)] = pool.map(describe_parsed, [call], urgency=1)
    return found if isinstance(found, PagemillError) else DescribedDocument(*found)


def describe_document(content: Content, options: RefreshOptions, tick: Tick) -> DescribedDocument:
    """Parse and describe one document in this process.

    Raises:
        DocumentError: the document cannot be read.
    """
    parsed = parse_content(content, options.parse, tick)
    settings = OcrSettings(options.describe, options.parse)
    return describe_parsed(parsed, settings, classify_figures(parsed, options.describe), tick)


def describe_parsed(parsed: pa.Table, settings: OcrSettings, classes: Mapping[int, FigureClass], tick: Tick) -> DescribedDocument:
    """Describe one document from its row of PARSED; `classes` are the types of its figures, by their indices."""
    row = parsed.to_pylist()[0]
    found = describe_content(row, settings, classes, tick)
    after = found.to_pylist()[0]
    own = [row["elements"][row["figures"][n]["position"]]["text"] for n in find_figures_to_describe(row, settings.options)]
    return DescribedDocument(found, dict(_find_words_in_figures(own, after)), [*row["rejects"], *after["rejects"]], row["pages"])


def _find_words_in_figures(own: Sequence[str], after: StagedDocument) -> Iterator[tuple[str, str]]:
    """Yield the position of each figure, in digits, and the words in it: its `own` and those read. A table is no figure."""
    for text, figure in zip(own, after["figures"], strict=True):
        if after["elements"][figure["position"]]["kind"] == "figure":
            yield str(figure["position"]), join_own_and_ocr_words(text, figure["ocr_text"])


def format_error_with_remedy(error: PagemillError) -> str:
    """Return the message with its remedy, which a document's error carries as a note."""
    notes = getattr(error, "__notes__", ()) if isinstance(error, DocumentError) else ()
    return ": ".join([str(error), *notes])


def add_path_to_error(path: Path, error: DocumentError) -> DocumentError:
    """Return the error of the document at `path` with that path before its message."""
    return DocumentError(f"{path}: {format_error_with_remedy(error)}")
