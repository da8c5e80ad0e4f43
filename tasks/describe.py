"""Describe: a document's text is assembled from its elements, figures become text."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import pyarrow as pa

from schemas.conform import from_rows
from schemas.errors import EmptyDocument
from schemas.options import DescribeOptions
from schemas.staged import DESCRIBED
from tasks.transforms.assembly import assemble, captions_of, figure_description
from tasks.transforms.rejections import entry, reason, refusal

DESCRIBER_VERSION = "2"
"""Raise it when the output changes."""

THUMBNAIL_SIDE = 256
OCR_THREADS = 2


class Seen(NamedTuple):
    """What a figure's picture shows: text, thumbnail, and what went wrong."""

    text: str
    thumbnail: bytes
    problem: str = ""


def describe_content(
    parsed: dict[str, Any] | pa.Table, options: DescribeOptions, languages: str, tick: Callable[[int], None] = lambda _: None
) -> pa.Table:
    """Return one row of DESCRIBED for one row of PARSED. `languages` are Tesseract's, joined by `+`.

    `tick(n)` is called after figure n, in this thread.

    A document without any text holds an EmptyDocument entry for page 0 in its rejects.
    """
    row = parsed.to_pylist()[0] if isinstance(parsed, pa.Table) else parsed
    elements = [dict(element) for element in row["elements"]]
    seen: list[Seen] = []
    with ThreadPoolExecutor(OCR_THREADS) as threads:
        for sight in threads.map(lambda figure: _see(figure, elements, options, languages), row["figures"]):
            seen.append(sight)
            tick(len(seen))
    captions = captions_of(elements)
    figures, rejects = [], []
    for figure, sight in zip(row["figures"], seen, strict=True):
        element = elements[figure["position"]]
        caption = captions.get(figure["position"])
        element["text"] = figure_description(caption, element["text"] or sight.text)
        figures.append(_finding(figure["position"], element["text"], caption, sight))
        if sight.problem:
            rejects.append(entry("describe", "FigureError", sight.problem, _REMEDY, element["page_number"]))
    return from_rows([_described(row, elements, figures, rejects)], DESCRIBED)


_REMEDY = "look at the page's figure; the rest of the page is kept"


def _described(
    row: dict[str, Any], elements: list[dict[str, Any]], figures: list[dict[str, Any]], rejects: list[dict[str, Any]]
) -> dict[str, Any]:
    assembled = assemble(elements, row["text"])
    if not assembled.text.strip():
        error = refusal(EmptyDocument, "no text found in the document", "set parse.ocr_languages to its language, or exclude it")
        rejects = [reason("describe", error)]
    return {"text": assembled.text, "elements": assembled.elements, "figures": figures, "rejects": _one_a_page(rejects)}


def _one_a_page(rejects: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rejects are keyed by page: keep the first of each."""
    return list({reject["page_number"]: reject for reject in reversed(rejects)}.values())[::-1]


def _finding(position: int, description: str, caption: str | None, seen: Seen) -> dict[str, Any]:
    return {
        "position": position,
        "ocr_text": seen.text,
        "description": description,
        "caption": caption,
        "thumbnail": seen.thumbnail,
    }


def _see(figure: dict[str, Any], elements: Sequence[dict[str, Any]], options: DescribeOptions, languages: str) -> Seen:
    """Look at one figure. A picture that cannot be read is a problem of its own, not the document's."""
    from tasks.adapters import figure_ocr

    try:
        picture = figure_ocr.open_picture(figure["image"])
        thumbnail = figure_ocr.thumbnail(picture, THUMBNAIL_SIDE)
    except (OSError, ValueError, SyntaxError) as error:
        return Seen("", b"", f"a figure's picture cannot be read: {error}")
    if not options.figure_ocr or elements[figure["position"]]["text"].strip():
        return Seen("", thumbnail)
    try:
        return Seen(figure_ocr.read_figure(picture, languages, options.min_confidence), thumbnail)
    except (OSError, RuntimeError) as error:
        return Seen("", thumbnail, f"OCR of a figure failed: {error}")
