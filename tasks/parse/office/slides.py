"""PPTX through python-pptx: each slide is a page, with its shapes in reading order and its notes last."""

import io
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

from schemas.errors import DocumentError, PagemillError
from tasks.parse.elements.flow_document import FlowBlock, FlowDocument, note, page
from tasks.parse.layout.prose import clean
from tasks.parse.office.package import POWERPOINT, Package
from tasks.parse.office.properties import office_properties
from tasks.parse.office.slide_shapes import EMU_PER_POINT, SlideOutline, slide_blocks
from tasks.parse.office.word import word_facts
from tasks.parse.office.xml import find, find_all, name, number
from tasks.parse.rejections import refusal


def slide_facts() -> dict[str, str]:
    """Return the facts about the PPTX engine that change its output."""
    return {"python-pptx": version("python-pptx"), **word_facts()}


def parse_pptx(data: bytes, tick: Callable[[int], None]) -> FlowDocument:
    """Return the content of a presentation. `tick(n)` is called after slide n. An unreadable slide is an entry of `rejects`.

    Raises:
        DocumentError: it is encrypted, damaged, in another format, too large when unpacked, or has no slides.
    """
    package = Package(data, POWERPOINT)
    presentation = _opened(package.transitional() or data)
    size = find(presentation.element, "p:sldSz")
    width, height = (number(size.get(side) if size is not None else None, 0) / EMU_PER_POINT for side in ("cx", "cy"))
    ids = [slide.get(name("r:id")) for slide in find_all(presentation.element, "p:sldIdLst/p:sldId")]
    if not ids:
        raise refusal(DocumentError, "the presentation has no slides", "get a complete copy of the file, or exclude it")
    document = FlowDocument([], office_properties(package), [page(n + 1, width, height) for n in range(len(ids))])
    outline = SlideOutline()
    for n, slide_id in enumerate(ids, 1):
        document.blocks += _slide(presentation, n, slide_id, outline, document.rejects)
        tick(n)
    return document


def _opened(data: bytes) -> Any:
    """Open a presentation. python-pptx reads every part, and raises almost any error when one is damaged."""
    from pptx import Presentation

    try:
        return Presentation(io.BytesIO(data))
    except MemoryError:
        raise
    except Exception as error:
        message = f"the presentation is damaged: {clean(str(error))[:200]}"
        raise refusal(DocumentError, message, "open it and save it again, or exclude it") from error


def _slide(presentation: Any, n: int, slide_id: str, outline: SlideOutline, rejects: list[dict[str, Any]]) -> list[FlowBlock]:
    """Read a slide. Damaged parts make python-pptx raise almost any error, which must not affect other slides."""
    try:
        slide = presentation.part.related_slide(slide_id)
        return [block._replace(page_number=n) for block in slide_blocks(slide, outline)]
    except (PagemillError, MemoryError):
        raise
    except Exception as error:
        message = f"slide {n} cannot be read: {type(error).__name__}: {clean(str(error))[:200]}"
        rejects.append(note("PageError", message, "repair the slide, or save the presentation again", n))
        return []
