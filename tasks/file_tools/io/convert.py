"""Convert documents to files of Markdown or elements, without a corpus."""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple, TypedDict

from schemas.errors import DocumentError, InputError, PagemillError
from schemas.options.sections import RefreshOptions
from schemas.records import Reason
from schemas.references import Content
from tasks.file_tools.io.describe_document import describe_contents, format_error_with_remedy
from tasks.file_tools.io.inputs import InputFile, find_content, find_documents, list_with_members
from tasks.file_tools.rendering import render_document
from tasks.parse.scans.io.tesseract import check_tesseract
from tasks.store import files
from tasks.workers.pool import WorkerPool


class RejectedPage(TypedDict):
    """A page that could not be read, why, and what to do."""

    page_number: int
    message: str
    remedy: str


class Outcome(TypedDict):
    """The result for one document: its path, its output or its error, and the rejects of single pages."""

    path: str
    output: str | None
    error: str | None
    pages: list[RejectedPage]


class OutputForm(NamedTuple):
    """How a document is written: as md, jsonl or arrow; whether with furniture; whether with links, in Markdown."""

    suffix: str
    furniture: bool
    links: bool


def convert_documents(paths: list[Path], out: Path, form: OutputForm, options: RefreshOptions) -> Iterator[Outcome]:
    """Write one file per document into `out`, in the same subfolders. Yield what became of each, as soon as it is done.

    Raises:
        InputError: a path is not a document, there are no documents, two outputs have one name, or `out` is not writable.
    """
    check_tesseract(options.parse.ocr_languages)
    with WorkerPool(options.limits) as pool:
        yield from _convert_in_workers(pool, paths, out, form, options)


def _convert_in_workers(
    pool: WorkerPool, paths: list[Path], out: Path, form: OutputForm, options: RefreshOptions
) -> Iterator[Outcome]:
    documents = [*list_with_members(pool, find_documents(paths, out), options.limits)]
    if not documents:
        raise InputError(f"no documents in {', '.join(map(str, paths))}: its files are of no kind that Pagemill reads")
    targets = _choose_output_paths(documents, out, form.suffix)
    files.check_folder_writable(out)
    wanted: list[tuple[InputFile, Path, Content]] = []
    for given, target in zip(documents, targets, strict=True):
        try:
            wanted.append((given, target, given.content or find_content(pool, given.path, options.limits, given.refused)))
        except DocumentError as error:
            yield _make_outcome(given, error=str(error).removeprefix(f"{given.path} "))
    for index, found in describe_contents(pool, [content for _, _, content in wanted], options):
        given, target, _ = wanted[index]
        if isinstance(found, PagemillError):
            yield _make_outcome(given, error=format_error_with_remedy(found))
        elif found.refusal:
            yield _make_outcome(given, error=found.refusal)
        else:
            yield _write_output(given, target, render_document(found, *form), found.rejects)


def name_output_files(paths: Sequence[str], suffix: str) -> list[str]:
    """Return the path of the result for each relative path: `suffix` replaces the old suffix.

    If results would have the same name, they keep the old suffix before the new one. Equal paths get equal names.

    >>> name_output_files(["a/x.pdf", "b/x.pdf", "b/x.txt"], ".md")
    ['a/x.md', 'b/x.pdf.md', 'b/x.txt.md']
    """
    short = [str(PurePosixPath(path).with_suffix("")) + suffix for path in paths]
    names = list(short)
    while True:
        times = Counter(names)
        clashing = [n for n, name in enumerate(names) if times[name] > 1 and name != paths[n] + suffix]
        if not clashing:
            return names
        for n in clashing:
            names[n] = paths[n] + suffix


def _choose_output_paths(documents: Sequence[InputFile], out: Path, suffix: str) -> list[Path]:
    targets = [out / name for name in name_output_files([given.inner for given in documents], f".{suffix}")]
    sources = {os.path.realpath(given.path) for given in documents}
    writers: dict[str, Path] = {}
    for given, target in zip(documents, targets, strict=True):
        place = os.path.realpath(target)
        if place in sources:
            raise InputError(f"the result of {given.path} would replace the document {target}: name another --out")
        if (other := writers.setdefault(place, given.path)) is not given.path:
            raise InputError(f"{other} and {given.path} would both be written to {target}: convert them one by one")
    return targets


def _write_output(given: InputFile, target: Path, result: bytes, rejects: Sequence[Reason]) -> Outcome:
    try:
        files.write_atomically(target, result)
    except OSError as error:
        return _make_outcome(given, error=f"{target} cannot be written: {error.strerror}")
    return _make_outcome(given, output=str(target), rejects=rejects)


def _make_outcome(
    given: InputFile, output: str | None = None, error: str | None = None, rejects: Sequence[Reason] = ()
) -> Outcome:
    pages = [RejectedPage(page_number=one["page_number"], message=one["message"], remedy=one["remedy"]) for one in rejects]
    return {"path": str(given.path), "output": output, "error": error, "pages": pages}
