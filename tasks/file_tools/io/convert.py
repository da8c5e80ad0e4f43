"""Convert documents to files of Markdown or elements, without a corpus."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from schemas.errors import DocumentError, InputError, PagemillError
from schemas.options.sections import RefreshOptions
from schemas.references import Content
from tasks.file_tools.forms import rendered
from tasks.file_tools.io.describe_document import described_each
from tasks.file_tools.io.inputs import Given, content_of, find_documents
from tasks.file_tools.messages import told
from tasks.file_tools.outputs import output_names
from tasks.parse.scans.io.tesseract import check_tesseract
from tasks.store import files
from tasks.workers.pool import WorkerPool

Outcome = dict[str, Any]
"""The result for one document: its path, its output or its error, and the rejects of single pages."""


class Shown(NamedTuple):
    """How a document is written: the form md, jsonl or arrow; whether with furniture; whether with links, in Markdown."""

    form: str
    furniture: bool
    links: bool


def convert_all(paths: list[Path], out: Path, shown: Shown, options: RefreshOptions) -> Iterator[Outcome]:
    """Write one file per document into `out`, in the same subfolders. Yield what became of each, as soon as it is done.

    Raises:
        InputError: a path is not a document, there are no documents, two outputs have one name, or `out` is not writable.
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
        for index, found in described_each(pool, [content for _, _, content in wanted], options):
            given, target, _ = wanted[index]
            if isinstance(found, PagemillError):
                yield _outcome(given, error=told(found))
            elif found.refusal:
                yield _outcome(given, error=found.refusal)
            else:
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
