"""Convert: single documents to Markdown or elements, without a corpus."""

import json
import os
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from schemas.errors import DocumentError, InputError, PagemillError
from schemas.media_types import media_type_of
from schemas.options.sections import RefreshOptions
from schemas.references import Content
from schemas.staged import DESCRIBED
from tasks.describe.io.describe import OcrSettings, all_words, describe_content
from tasks.parse.io.parse import Tick, find_long, join_ranges, parse_content
from tasks.parse.io.ranges import RangedParser, map_ranged
from tasks.parse.scans.io.tesseract import check_tesseract
from tasks.single.io.inputs import Given, find_documents
from tasks.single.outputs import output_names
from tasks.single.rendering import as_markdown
from tasks.store import files
from tasks.workers.pool import WorkerPool, run_one

Outcome = dict[str, Any]
"""Of one document: its path, its output or else the error, and the rejects of single pages."""


class Described(NamedTuple):
    """A document's table of DESCRIBED, the words in its figures by their position in digits, and the rejects of its pages."""

    table: pa.Table
    words: dict[str, str]
    rejects: list[dict[str, Any]]


class Shown(NamedTuple):
    """What of a document is written: as md, jsonl or arrow, with or without furniture, and, in Markdown, with links as links."""

    form: str
    furniture: bool
    links: bool


def convert_all(paths: list[Path], out: Path, shown: Shown, options: RefreshOptions) -> Iterator[Outcome]:
    """Write one file per document to `out`, subfolders mirrored; yield what became of each, first done first.

    Raises:
        InputError: a path is no document, there are none, their outputs clash, or `out` cannot be written to.
    """
    check_tesseract(options.parse.ocr_languages)
    documents = find_documents(paths, out)
    targets = _targets(documents, out, shown.form)
    files.check_folder(out)
    wanted: list[tuple[Given, Path, Content]] = []
    for given, target in zip(documents, targets, strict=True):
        try:
            wanted.append((given, target, content_of(given.path, given.refused)))
        except DocumentError as error:
            yield _outcome(given, error=str(error).removeprefix(f"{given.path} "))
    with WorkerPool(options.limits) as pool:
        for index, result in _described(pool, [content for _, _, content in wanted], options):
            given, target, _ = wanted[index]
            if isinstance(result, PagemillError):
                yield _outcome(given, error=told(result))
            else:
                found = Described(*result)
                yield _written(given, target, rendered(found, *shown), found.rejects)


def _targets(documents: Sequence[Given], out: Path, form: str) -> list[Path]:
    targets = [out / name for name in output_names([given.inner for given in documents], f".{form}")]
    sources = {os.path.realpath(given.path) for given in documents}
    writers: dict[str, Path] = {}
    for given, target in zip(documents, targets, strict=True):
        place = os.path.realpath(target)
        if place in sources:
            raise InputError(f"the result of {given.path} would replace the document {target}: name another --out")
        if (other := writers.setdefault(place, given.path)) is not given.path:
            raise InputError(f"{other} and {given.path} would both be written to {target}: convert them one by one")
    return targets


def _written(given: Given, target: Path, result: bytes, rejects: Sequence[Any]) -> Outcome:
    try:
        files.put(target, result)
    except OSError as error:
        return _outcome(given, error=f"{target} cannot be written: {error.strerror}")
    return _outcome(given, output=str(target), rejects=rejects)


def _outcome(given: Given, output: str | None = None, error: str | None = None, rejects: Sequence[Any] = ()) -> Outcome:
    pages = [{name: reject[name] for name in ("page_number", "message", "remedy")} for reject in rejects]
    return {"path": str(given.path), "output": output, "error": error, "pages": pages}


def told(error: PagemillError) -> str:
    """Return the message with its remedy, which a document's error carries as a note."""
    notes = getattr(error, "__notes__", ()) if isinstance(error, DocumentError) else ()
    return ": ".join([str(error), *notes])


def in_worker(function: Any, path: Path, *args: Any) -> Any:
    """Return what `function(*args, tick)` returns in a worker of its own; the last of `args` are the options.

    Raises:
        PagemillError: what it raised; a document's error names the document at `path`.
    """
    try:
        return run_one(function, args, args[-1].limits)
    except DocumentError as error:
        raise DocumentError(f"{path}: {told(error)}") from error


def _described(pool: WorkerPool, contents: list[Content], options: RefreshOptions) -> Iterator[tuple[int, Any]]:
    return map_ranged(pool, contents, options, RangedParser(options.parse, options.limits, described_if_short, described_ranges))


def described(content: Content, options: RefreshOptions, tick: Tick) -> Described:
    """Parse and describe one document, in a worker.

    Raises:
        DocumentError: it cannot be read, or holds nothing.
    """
    return _describe(parse_content(content, options.parse, tick), options, tick)


def described_if_short(content: Content, options: RefreshOptions, tick: Tick) -> Described | int:
    """Return what `described` does, but of a long document only how many pages it has.

    Raises:
        DocumentError: as `described`.
    """
    return find_long(content) or described(content, options, tick)


def described_ranges(content: Content, options: RefreshOptions, folder: str, tick: Tick) -> Described:
    """Describe one document whose ranges of pages are in `folder`, in a worker.

    Raises:
        DocumentError: it holds nothing.
    """
    return _describe(join_ranges(folder), options, tick)


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


def content_of(path: Path, refused: str = "") -> Content:
    """Return the content of the document at `path`.

    Raises:
        DocumentError: it cannot be read, or `refused` says why it must not be.
    """
    if refused:
        raise DocumentError(refused)
    try:
        sha256, size = files.sha256_of(path), path.stat().st_size
    except OSError as error:
        raise DocumentError(
            f"{path} cannot be read: {error.strerror}: give this user permission, or leave the file out"
        ) from error
    return Content(sha256=sha256, media_type=media_type_of(path.name) or "", path=str(path), size=size)


def rendered(found: Described, form: str, furniture: bool, links: bool = False) -> bytes:
    """Return the document's output. Its Markdown says what is in a figure without the caption, which stands beside it."""
    elements: list[dict[str, Any]] = found.table["elements"][0].as_py()
    if form == "md":
        elements = [{**element, "text": found.words.get(str(n), element["text"])} for n, element in enumerate(elements)]
        return as_markdown(elements, furniture, links).encode()
    return _render([element for element in elements if furniture or element["kind"] != "furniture"], form)


def _render(kept: Sequence[dict[str, Any]], form: str) -> bytes:
    if form == "jsonl":
        lines = map(partial(json.dumps, ensure_ascii=False), kept)
        return "".join(f"{line}\n" for line in lines).encode()
    sink = pa.BufferOutputStream()
    table = pa.Table.from_pylist(kept, schema=pa.schema(list(DESCRIBED.field("elements").type.value_type)))
    with pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())
