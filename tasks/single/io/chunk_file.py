"""Chunk a file: cut one document as a refresh does, but without a corpus."""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from schemas.errors import DocumentError, InputError, PagemillError
from schemas.options.sections import RefreshOptions
from schemas.references import Content
from schemas.tables.rejects import Reject
from tasks.chunk.chunk import EMPTY, BoundaryInputs, chunk_rows, fallback
from tasks.describe.io.classify import classify_figures
from tasks.describe.io.describe import OcrSettings, describe_content
from tasks.embed.io import tokenizer
from tasks.parse.io.ranges import RangedParser, map_ranged
from tasks.parse.scans.io.tesseract import check_tesseract
from tasks.single.io.inputs import content_of, find_document
from tasks.single.messages import naming
from tasks.workers.pool import WorkerPool

Row = dict[str, Any]


class Cut(NamedTuple):
    """The rejects of single pages, and the chunks of a document. The iterator makes the chunks one by one.

    A chunk has start, end, n_tokens, text, kind, pages, section; embedding_text if it differs from the text; and the span of its
    parent, if there is one.
    """

    rejects: list[Row]
    chunks: Iterator[Row]


def chunk_file(path: Path, options: RefreshOptions) -> Cut:
    """Cut the document at `path`. Iterating over the chunks can raise a DocumentError, too.

    Raises:
        PagemillError: the document cannot be read, or the options do not fit.
    """
    check_tesseract(options.parse.ocr_languages)
    folder = tokenizer.model_dir(options.embed.model)
    limit = tokenizer.max_tokens(folder, options.embed.max_tokens)
    if options.chunk.size_tokens > limit and options.embed.too_long == "error":
        raise InputError(
            f"--size {options.chunk.size_tokens} is more than the embedder's {limit} tokens: "
            "choose a smaller size, or set embed.too_long"
        )
    parsed, described = _described(path, content_of(find_document(path)), options)
    boundaries = _boundary_inputs(described, options)
    rows = chunk_rows(described, options.chunk, tokenizer.load_tokenizer(folder).count, boundaries)
    first = next(rows, None)
    if first is None:
        raise _refused(path, EMPTY)
    rejects = [
        *parsed["rejects"],
        *described["rejects"],
        *([fallback(boundaries.reason).model_dump()] if boundaries.reason else []),
    ]
    return Cut(rejects, map(_line, chain([first], rows)))


def _described(path: Path, content: Content, options: RefreshOptions) -> tuple[Row, Row]:
    """Return the document's rows of PARSED and DESCRIBED. Figures are classified in this process, as for a batch."""
    settings = OcrSettings(options.describe, options.parse.ocr_languages)
    with WorkerPool(options.limits) as pool:
        [(_, table)] = map_ranged(pool, [content], options.parse, RangedParser(options.parse, options.limits))
        parsed = _row(path, table)
        [(_, table)] = pool.map(describe_content, [(table, settings, classify_figures(table, options.describe))])
    return parsed, _row(path, table)


def _row(path: Path, outcome: Any) -> Row:
    """Return the row that a step made.

    Raises:
        PagemillError: the outcome is an error, or the row rejects the document.
    """
    if isinstance(outcome, DocumentError):
        raise naming(path, outcome) from outcome
    if isinstance(outcome, PagemillError):
        raise outcome
    row: Row = outcome.to_pylist()[0]
    for reject in row["rejects"]:
        if reject["page_number"] == 0:
            raise _refused(path, Reject(**reject))
    return row


def _refused(path: Path, reject: Reject) -> DocumentError:
    return DocumentError(f"{path}: {reject.message}: {reject.remedy}")


def _boundary_inputs(described: Row, options: RefreshOptions) -> BoundaryInputs:
    if not options.chunk.sentence_vectors and options.chunk.strategy != "llm":
        return BoundaryInputs()
    from tasks.chunk.io.boundary_inputs import boundary_inputs_of

    return boundary_inputs_of(described, options.chunk, options.embed)


def _line(chunk: Row) -> Row:
    names = ["n_tokens", "text", "kind", "pages", "section"]
    line = {"start": chunk["start_char"], "end": chunk["end_char"], **{name: chunk[name] for name in names}}
    if chunk["embedding_text"] != chunk["text"]:
        line["embedding_text"] = chunk["embedding_text"]
    if chunk["parent_start_char"] is not None:
        line["parent"] = [chunk["parent_start_char"], chunk["parent_end_char"]]
    return line
