"""Describe: figures become text, and the document's text is assembled from its elements."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from itertools import chain
from typing import NamedTuple

import pyarrow as pa

from schemas.conform import make_table_from_rows
from schemas.errors import DocumentError, EmptyDocument
from schemas.options.sections import DescribeOptions
from schemas.records import BBox, DescribedDocument, DescribedFigure, Element, ParsedDocument, Reason
from schemas.staged import DESCRIBED
from tasks.describe import figure_words
from tasks.describe.figure_types import UNSURE, FigureClass
from tasks.describe.io.examine import (
    TABLE,
    FigureFindings,
    FigureToExamine,
    OcrSettings,
    examine_figures,
    join_own_and_ocr_words,
    with_language_of,
)
from tasks.describe.io.table_pictures import read_table
from tasks.describe.pictured_tables import replace_figures
from tasks.parse.elements.assembly import Assembled, assemble, captions_of
from tasks.parse.rejections import entry, reason, refusal

OCR_THREADS = 2
FIGURES_TOGETHER = 8
"""Figures that one run of Tesseract reads: its start takes .07 s, and each figure as much again."""
FEWEST_PAGES = 3
"""In a shorter document a picture on most pages does not count as decoration."""
_REMEDY = "check the figure on this page; the rest of the page is kept"


class FigureOnPage(NamedTuple):
    """A figure: the digest of its picture, its page and its box."""

    digest: str
    page_number: int
    bbox: BBox | None


def find_figures_to_describe(row: ParsedDocument, options: DescribeOptions) -> list[int]:
    """Return which figures of a row of PARSED are described."""
    elements = row["elements"]
    placed = [
        FigureOnPage(sha256(figure["image"]).hexdigest(), place["page_number"], place["bbox"])
        for figure, place in ((figure, elements[figure["position"]]) for figure in row["figures"])
    ]
    return choose_figures(placed, len(row.get("pages") or ()), options)


def choose_figures(figures: Sequence[FigureOnPage], n_pages: int, options: DescribeOptions) -> list[int]:
    """Return which figures are described: all except decorations, which are tiny, thin or on most pages."""
    pages: dict[str, set[int]] = defaultdict(set)
    for figure in figures:
        pages[figure.digest].add(figure.page_number)
    most = options.max_page_share * n_pages if n_pages >= FEWEST_PAGES else n_pages
    return [
        n for n, figure in enumerate(figures)
        if len(pages[figure.digest]) <= max(1, most) and not _is_decoration(figure.bbox, options)
    ]  # fmt: skip


def _is_decoration(box: BBox | None, options: DescribeOptions) -> bool:
    if box is None:
        return False
    sides = sorted((box["x1"] - box["x0"], box["y1"] - box["y0"]))
    return sides[0] < options.min_side_points or sides[1] > options.max_aspect * sides[0]


def describe_content(
    parsed: ParsedDocument | pa.Table,
    settings: OcrSettings,
    classes: Mapping[int, FigureClass] | None = None,
    tick: Callable[[int], None] = lambda _: None,
) -> pa.Table:
    """Return one row of DESCRIBED for one row of PARSED. `classes` are the types of figures, by their indices.

    `tick(n)` is called after figure n, in this thread.

    A document without any text has an EmptyDocument entry for page 0 in its rejects.
    """
    row = parsed.to_pylist()[0] if isinstance(parsed, pa.Table) else parsed
    elements = [element.copy() for element in row["elements"]]
    chosen = find_figures_to_describe(row, settings.options)
    known = {index: (classes or {}).get(index, FigureClass()) for index in chosen}
    if chosen:
        settings = with_language_of(" ".join(element["text"] for element in elements), settings)
    captions = captions_of(elements)
    figures, rejects = list[DescribedFigure](), list[Reason]()
    pictured: dict[int, Sequence[Element]] = {}
    for index, findings in zip(known, _examine_all_figures(row, elements, known, settings, tick), strict=True):
        position = row["figures"][index]["position"]
        element, figure_class, caption = elements[position], known[index], captions.get(position)
        text = findings.text if findings.elements else join_own_and_ocr_words(element["text"], findings.text)
        description = figure_words.describe_figure(
            figure_class.kind, figure_class.confidence if figure_class.kind != UNSURE else None, findings.parts, caption, text
        )
        element["text"] = description if text.strip() or (caption or "").strip() else ""
        if findings.elements:
            pictured[position] = findings.elements
        figures.append(_make_figure(position, description, caption, findings, figure_class))
        if findings.problem:
            rejects.append(entry("describe", "FigureError", findings.problem, _REMEDY, element["page_number"]))
    shown, positions = replace_figures(elements, pictured)
    figures = [{**figure, "position": positions[figure["position"]]} for figure in figures]
    assembled = assemble(shown, row["text"], settings.options.hidden_text)
    return make_table_from_rows([_make_row(assembled, figures, rejects)], DESCRIBED)


def _examine_all_figures(
    row: ParsedDocument,
    elements: Sequence[Element],
    known: Mapping[int, FigureClass],
    settings: OcrSettings,
    tick: Callable[[int], None],
) -> list[FigureFindings]:
    """Return what is found in each figure of `known`. Several are read at a time, but pictures of tables one after another."""
    figures = list[FigureToExamine]()
    for index, figure_class in known.items():
        figure = row["figures"][index]
        figures.append(FigureToExamine(figure, elements[figure["position"]]["text"], figure_class))
    groups = [figures[start : start + FIGURES_TOGETHER] for start in range(0, len(figures), FIGURES_TOGETHER)]
    examined: list[FigureFindings] = []
    with ThreadPoolExecutor(OCR_THREADS) as threads:
        read = chain.from_iterable(threads.map(lambda group: examine_figures(group, settings), groups))
        for index, found in zip(known, read, strict=True):
            figure = row["figures"][index]
            may_be_table = TABLE.search(known[index].kind) and found.thumbnail
            examined.append(read_table(figure, elements[figure["position"]], found, settings) if may_be_table else found)
            tick(len(examined))
    return examined


def _make_row(assembled: Assembled, figures: list[DescribedFigure], rejects: list[Reason]) -> DescribedDocument:
    if not assembled.text.strip():
        rejects = [reason("describe", _make_no_text_error(assembled.elements))]
    return {
        "text": assembled.text,
        "elements": assembled.elements,
        "figures": figures,
        "rejects": _keep_one_reject_per_page(rejects),
    }


def _make_no_text_error(elements: Sequence[Element]) -> DocumentError:
    if any(element["kind"] == "hidden" for element in elements):
        message, remedy = "nobody can see any text in the document", "set describe.hidden_text to keep its hidden text"
    elif all(element["bbox"] is None and element["kind"] != "figure" for element in elements):
        message, remedy = "the document has no text but furniture, such as front matter and rules", "add text to it"
    else:
        message = "no text found in the document"
        remedy = "install Tesseract's data for the document's language and set parse.ocr_languages to it"
    return refusal(EmptyDocument, message, f"{remedy}, or exclude the document")


def _keep_one_reject_per_page(rejects: Sequence[Reason]) -> list[Reason]:
    """Keep the first reject of each page, because the page is their key."""
    return list({reject["page_number"]: reject for reject in reversed(rejects)}.values())[::-1]


def _make_figure(
    position: int, description: str, caption: str | None, findings: FigureFindings, figure_class: FigureClass
) -> DescribedFigure:
    return {
        "position": position,
        "kind": figure_class.kind,
        "confidence": figure_class.confidence,
        "embedding": None if figure_class.embedding is None else list(figure_class.embedding),
        "ocr_text": findings.text,
        "description": description,
        "caption": caption,
        "thumbnail": findings.thumbnail,
    }
