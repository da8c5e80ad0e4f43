"""Chunk a file: cut one document as a refresh does, but without a corpus."""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import NamedTuple, NotRequired, TypedDict, cast

from schemas import records
from schemas.errors import DocumentError, InputError
from schemas.options.sections import RefreshOptions
from tasks.chunk.chunk import EMPTY, BoundaryInputs, make_chunks, make_fallback_reject
from tasks.embed.io import providers
from tasks.file_tools.io.describe_document import describe_file
from tasks.file_tools.io.inputs import open_document
from tasks.parse.scans.io.tesseract import check_tesseract
from tasks.workers.pool import WorkerPool


class ChunkLine(TypedDict):
    """A chunk: its text and where it stands.

    `places` only if there are some, `embedding_text` only if it differs, `parent` only if there is one: its span.
    """

    start: int
    end: int
    n_tokens: int
    text: str
    kind: str
    pages: list[int]
    section: list[str]
    places: NotRequired[list[str]]
    embedding_text: NotRequired[str]
    parent: NotRequired[list[int | None]]


class FileChunks(NamedTuple):
    """The rejects of single pages, and the chunks of a document. The iterator makes the chunks one by one."""

    rejects: list[records.Reason]
    chunks: Iterator[ChunkLine]


def chunk_file(path: Path, options: RefreshOptions) -> FileChunks:
    """Cut the document at `path`. Iterating over the chunks can raise a DocumentError, too.

    Raises:
        PagemillError: the document cannot be read, or the options do not fit.
    """
    check_tesseract(options.parse.ocr_languages)
    limit = providers.find_max_text_tokens(options.embed)
    if options.chunk.longest_tokens > limit and options.embed.too_long == "error":
        raise InputError(
            f"chunks of {options.chunk.longest_tokens} tokens are longer than the embedder's {limit}: "
            "choose a smaller --size (and chunk.table_tokens), or set embed.too_long"
        )
    with WorkerPool(options.limits) as pool, open_document(pool, path, options.limits) as content:
        found = describe_file(pool, path, content, options)
    if found.refusal:
        raise DocumentError(f"{path}: {found.refusal}")
    described = found.table.to_pylist()[0]
    boundaries = _make_boundary_inputs(described, options)
    rows = make_chunks(
        described, options.chunk.resolve(limit), providers.load_counting_tokenizer(options.embed).count, boundaries
    )
    first = next(rows, None)
    if first is None:
        raise DocumentError(f"{path}: {EMPTY.message}: {EMPTY.remedy}")
    fallbacks = [cast(records.Reason, make_fallback_reject(boundaries.reason).model_dump())] if boundaries.reason else []
    return FileChunks([*found.rejects, *fallbacks], map(_make_chunk_line, chain([first], rows)))


def _make_boundary_inputs(described: records.DescribedDocument, options: RefreshOptions) -> BoundaryInputs:
    if not options.chunk.sentence_vectors and options.chunk.strategy != "llm":
        return BoundaryInputs()
    from tasks.chunk.io.boundary_inputs import get_boundary_inputs

    return get_boundary_inputs(described, options.chunk, options.embed)


def _make_chunk_line(chunk: records.ChunkSpan) -> ChunkLine:
    line: ChunkLine = {
        "start": chunk["start_char"], "end": chunk["end_char"], "n_tokens": chunk["n_tokens"], "text": chunk["text"],
        "kind": chunk["kind"], "pages": chunk["pages"], "section": chunk["section"],
    }  # fmt: skip
    if chunk["places"]:
        line["places"] = chunk["places"]
    if chunk["embedding_text"] != chunk["text"]:
        line["embedding_text"] = chunk["embedding_text"]
    if chunk["parent_start_char"] is not None:
        line["parent"] = [chunk["parent_start_char"], chunk["parent_end_char"]]
    return line
