"""Convert: single documents to Markdown, elements or chunks, without a corpus."""

import json
from collections import Counter
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from schemas.errors import DocumentError, InputError, PagemillError
from schemas.options import RefreshOptions
from tasks.adapters import files, tokenizer
from tasks.adapters.folders import list_files
from tasks.adapters.media_types import media_type_of
from tasks.adapters.tesseract import check_tesseract
from tasks.adapters.workers import WorkerPool, run_one
from tasks.chunk import chunk_content
from tasks.describe import describe_content
from tasks.parse import Tick, parse_content
from tasks.staging import Content
from tasks.transforms.rendering import as_markdown


def convert_all(paths: list[Path], out: Path, form: str, furniture: bool, options: RefreshOptions) -> list[dict[str, Any]]:
    """Write one file per document to `out`; return, for each, its path and the output's, or the error.

    Raises:
        InputError: a path does not exist, there are no documents, or two of them would have the same output.
    """
    check_tesseract(options.parse.ocr_languages)
    documents = _documents(paths)
    targets = [out / f"{path.stem}.{form}" for path in documents]
    for target, times in Counter(targets).items():
        if times > 1:
            raise InputError(f"{times} documents would be written to {target}: convert them one folder at a time")
    outcomes: list[dict[str, Any]] = [{"path": str(path), "output": None, "error": None} for path in documents]
    items = [(_content(path), options) for path in documents]
    with WorkerPool(options.limits) as pool:
        for index, result in pool.map(described, items):
            if isinstance(result, PagemillError):
                outcomes[index]["error"] = str(result)
            else:
                files.put(targets[index], _render(result, form, furniture))
                outcomes[index]["output"] = str(targets[index])
    return outcomes


def chunk_file(path: Path, options: RefreshOptions) -> list[dict[str, Any]]:
    """Return the chunks of one document: start, end, n_tokens, text.

    Raises:
        PagemillError: the document cannot be read or cut.
    """
    check_tesseract(options.parse.ocr_languages)
    folder = tokenizer.model_dir(options.embed.model)
    limit = tokenizer.max_tokens(folder, options.embed.max_tokens)
    if options.chunk.size_tokens > limit:
        raise InputError(f"--size {options.chunk.size_tokens} is more than the embedder's {limit} tokens")
    if path.is_dir():
        raise InputError(f"{path} is a folder: name one document")
    [document] = _documents([path])
    table = run_one(described, (_content(document), options), options.limits)
    count = tokenizer.load_tokenizer(folder).count
    chunks = chunk_content(table.to_pylist()[0], options.chunk, count)["chunks"][0].as_py()
    names = {"start": "start_char", "end": "end_char", "n_tokens": "n_tokens", "text": "text", "kind": "kind", "pages": "pages"}
    return [{name: row[column] for name, column in names.items()} for row in chunks]


def described(content: Content, options: RefreshOptions, tick: Tick) -> pa.Table:
    """Parse and describe one document, in a worker.

    Raises:
        DocumentError: it cannot be read, or holds nothing.
    """
    parsed = parse_content(content, options.parse, tick).to_pylist()[0]
    _raise_reject(parsed)
    table = describe_content(parsed, options.describe, options.parse.ocr_languages, tick)
    _raise_reject(table.to_pylist()[0])
    return table


def _raise_reject(row: dict[str, Any]) -> None:
    for reject in row["rejects"]:
        if reject["page_number"] == 0:
            raise DocumentError(f"{reject['message']}: {reject['remedy']}")


def _documents(paths: Iterable[Path]) -> list[Path]:
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            found += [path / file.path for file in list_files(path) if media_type_of(file.path) and not file.refused]
        elif not path.exists():
            raise InputError(f"{path} does not exist")
        elif not media_type_of(path.name):
            raise InputError(f"{path} is no kind of document that Pagemill reads")
        else:
            found.append(path)
    if not found:
        raise InputError(f"no documents in {', '.join(map(str, paths))}")
    return found


def _content(path: Path) -> Content:
    sha256 = files.sha256_of(path)
    return Content(sha256=sha256, media_type=media_type_of(path.name) or "", path=str(path), size=path.stat().st_size)


def _render(table: pa.Table, form: str, furniture: bool) -> bytes:
    row = table.to_pylist()[0]
    elements = [element for element in row["elements"] if furniture or element["kind"] != "furniture"]
    if form == "md":
        return as_markdown(elements, furniture).encode()
    if form == "jsonl":
        lines = map(partial(json.dumps, ensure_ascii=False), elements)
        return "".join(f"{line}\n" for line in lines).encode()
    sink = pa.BufferOutputStream()
    kept = pa.Table.from_pylist(elements, schema=pa.schema(list(table.schema.field("elements").type.value_type)))
    with pa.ipc.new_file(sink, kept.schema) as writer:
        writer.write_table(kept)
    return bytes(sink.getvalue())
