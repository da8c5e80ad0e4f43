"""One converter in a process of its own: told on stdin what to convert, it says on stdout what that cost.

    python -P benchmarks/parsing/conversion.py NAME

A request is a line of JSON: {"paths": […], "out": folder}. The results are files in that folder, named by the documents' stems:
Markdown, or for `camelot` tables as JSON. The answer is a list of {"cpu", "wall"}, seconds for each path; children count.

Imports nothing of Pagemill unless it is the converter: the others run in an environment of the peers' own.
"""

import gc
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

Convert = Callable[[str], str]


def pagemill() -> Convert:
    """`pagemill parse --furniture keep`, in one process."""
    from schemas.options.sections import RefreshOptions
    from tasks.file_tools.io.describe_document import describe_document
    from tasks.file_tools.io.inputs import hash_content
    from tasks.file_tools.rendering import render_document

    _search_garbage_seldom()

    def convert(path: str) -> str:
        found = describe_document(hash_content(Path(path)), RefreshOptions(), lambda _: None)
        return render_document(found, "md", furniture=True).decode()

    return convert


def pagemill_parse(furniture: bool = True) -> Convert:
    """The step parse alone, without the OCR of figures; `furniture` is the running headers, footers and page numbers."""
    from schemas.options.sections import RefreshOptions
    from tasks.file_tools.io.inputs import hash_content
    from tasks.file_tools.rendering import render_as_markdown
    from tasks.parse.io.parse import parse_content

    _search_garbage_seldom()

    def convert(path: str) -> str:
        table = parse_content(hash_content(Path(path)), RefreshOptions().parse, lambda _: None)
        return render_as_markdown(table.to_pylist()[0]["elements"], furniture)

    return convert


def _search_garbage_seldom() -> None:
    """Search this process for garbage as seldom as the command line and its workers do."""
    from tasks.workers.environment import GARBAGE_THRESHOLD

    gc.set_threshold(GARBAGE_THRESHOLD)


def pymupdf(furniture: bool = True) -> Convert:
    """PyMuPDF's own Markdown."""
    import pymupdf4llm  # type: ignore[import-untyped]

    return lambda path: str(pymupdf4llm.to_markdown(path, header=furniture, footer=furniture))


def markitdown() -> Convert:
    """Microsoft's converter, on pdfminer."""
    from markitdown import MarkItDown  # type: ignore[import-not-found]

    converter = MarkItDown()
    return lambda path: str(converter.convert(path).text_content)


def pdfplumber() -> Convert:
    """Plain text, page by page."""
    import pdfplumber as library  # type: ignore[import-not-found]

    def convert(path: str) -> str:
        with library.open(path) as document:
            return "\n\n".join(page.extract_text() or "" for page in document.pages)

    return convert


def edgeparse() -> Convert:
    """Rules in Rust."""
    import edgeparse as library  # type: ignore[import-not-found]

    return lambda path: str(library.convert(path, format="markdown"))


def liteparse() -> Convert:
    """LlamaIndex's local converter; its OCR would fetch a model."""
    from liteparse import LiteParse  # type: ignore[import-not-found]

    converter = LiteParse(ocr_enabled=False, quiet=True)
    return lambda path: str(converter.parse(path).text)


def camelot() -> Convert:
    """Camelot's lattice: tables alone."""
    import camelot as library

    def convert(path: str) -> str:
        tables = library.read_pdf(path, pages="all", flavor="lattice", suppress_stdout=True)
        return json.dumps([{"page": t.page, "bbox": list(t._bbox), "rows": t.df.values.tolist()} for t in tables])

    return convert


CONVERTERS: dict[str, Callable[[], Convert]] = {
    "pagemill": pagemill,
    "pagemill-parse": pagemill_parse,
    "pagemill-body": lambda: pagemill_parse(furniture=False),
    "pymupdf": pymupdf,
    "pymupdf-body": lambda: pymupdf(furniture=False),
    "markitdown": markitdown,
    "pdfplumber": pdfplumber,
    "edgeparse": edgeparse,
    "liteparse": liteparse,
    "camelot": camelot,
}


def opendataloader(paths: list[str], out: Path) -> list[dict[str, float]]:
    """Rules in Java: one start of its machine for all documents, spread over them."""
    import opendataloader_pdf  # type: ignore[import-not-found]

    cost = measure_seconds(
        lambda: opendataloader_pdf.convert(input_path=paths, output_dir=str(out), format="markdown", quiet=True)
    )
    return [{name: seconds / len(paths) for name, seconds in cost.items()}] * len(paths)


def one_by_one(convert: Convert, suffix: str, paths: list[str], out: Path) -> list[dict[str, float]]:
    """Convert each document; one that the converter cannot read has no result."""

    def write(path: str) -> None:
        try:
            text = convert(path)
        except Exception as error:
            print(f"{path}: {type(error).__name__}: {error}", file=sys.stderr)
            return
        (out / f"{Path(path).stem}{suffix}").write_text(text, encoding="utf-8")

    return [measure_seconds(lambda path=path: write(path)) for path in paths]  # type: ignore[misc]


def measure_seconds(work: Callable[[], Any]) -> dict[str, float]:
    """Return the seconds that `work` takes, of this process and of its children that have ended."""
    before, started = os.times(), time.perf_counter()
    work()
    after, ended = os.times(), time.perf_counter()
    return {"cpu": sum(after[:4]) - sum(before[:4]), "wall": ended - started}


def main() -> None:
    """Answer requests until stdin ends. What the libraries print goes to stderr."""
    name = sys.argv[1]
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    convert = CONVERTERS[name]() if name in CONVERTERS else None
    suffix = ".json" if name == "camelot" else ".md"
    for line in sys.stdin:
        request = json.loads(line)
        paths, out = request["paths"], Path(request["out"])
        costs = one_by_one(convert, suffix, paths, out) if convert else opendataloader(paths, out)
        answers.write(json.dumps(costs) + "\n")


if __name__ == "__main__":
    main()
