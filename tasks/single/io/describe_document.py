"""Describe a document: parse and describe one document in a worker."""

import pyarrow as pa

from schemas.errors import DocumentError
from schemas.options.sections import RefreshOptions
from schemas.references import Content
from tasks.describe.io.describe import OcrSettings, all_words, describe_content
from tasks.parse.io.parse import Tick, find_long, join_ranges, parse_content
from tasks.single.forms import Described


def described(content: Content, options: RefreshOptions, tick: Tick) -> Described:
    """Parse and describe one document.

    Raises:
        DocumentError: the document cannot be read, or has no content.
    """
    return _describe(parse_content(content, options.parse, tick), options, tick)


def described_if_short(content: Content, options: RefreshOptions, tick: Tick) -> Described | int:
    """Return what `described` returns; for a long document, only its number of pages.

    Raises:
        DocumentError: the document cannot be read, or has no content.
    """
    return find_long(content) or described(content, options, tick)


def described_ranges(content: Content, options: RefreshOptions, folder: str, tick: Tick) -> Described:
    """Describe one document; `folder` holds its parsed ranges of pages.

    Raises:
        DocumentError: the document has no content.
    """
    return _describe(join_ranges(content, folder), options, tick)


def _describe(table: pa.Table, options: RefreshOptions, tick: Tick) -> Described:
    parsed = table.to_pylist()[0]
    described = describe_content(parsed, OcrSettings(options.describe, options.parse.ocr_languages), tick=tick)
    row = described.to_pylist()[0]
    rejects = [*parsed["rejects"], *row["rejects"]]
    for reject in rejects:
        if reject["page_number"] == 0:
            raise DocumentError(f"{reject['message']}: {reject['remedy']}")
    elements = parsed["elements"]
    words = {str(f["position"]): all_words(elements[f["position"]]["text"], f["ocr_text"]) for f in row["figures"]}
    return Described(described, words, rejects)
