"""PPTX: each slide is a page, with its shapes in reading order, its notes and its comments last.

The parts are read one by one, because libraries that open a presentation as a whole refuse all of it for one damaged part.
"""

from collections.abc import Callable

from schemas.errors import DocumentError
from schemas.records import Reason
from tasks.parse.elements.flow_document import FlowBlock, FlowDocument, note, page
from tasks.parse.office.package import POWERPOINT, Package, TolerantPackage
from tasks.parse.office.properties import office_properties
from tasks.parse.office.slide_parts import SlideParts
from tasks.parse.office.slide_shapes import EMU_PER_POINT, SlideOutline, slide_blocks
from tasks.parse.office.xml import find, find_all, name, number
from tasks.parse.rejections import refusal

_CHECK = "open the presentation in PowerPoint, check what is missing, and save it again"


def parse_pptx(data: bytes, tick: Callable[[int], None]) -> FlowDocument:
    """Return the content of a presentation. `tick(n)` is called after slide n. An unreadable slide is an entry of `rejects`.

    Raises:
        DocumentError: it is encrypted, damaged, in another format, too large when unpacked, or has no slides.
    """
    package = Package(data, POWERPOINT)
    presentation = package.main_tree
    size = find(presentation, "p:sldSz")
    width, height = (number(size.get(side) if size is not None else None, 0) / EMU_PER_POINT for side in ("cx", "cy"))
    ids = [slide.get(name("r:id")) or "" for slide in find_all(presentation, "p:sldIdLst/p:sldId")]
    if not ids:
        raise refusal(DocumentError, "the presentation has no slides", "add slides to it, or exclude it")
    parts = TolerantPackage(package)
    properties = office_properties(parts)
    problems = [note("PartError", problem, _CHECK) for problem in parts.problems]
    document = FlowDocument([], properties, [page(n + 1, width, height) for n in range(len(ids))], problems)
    targets = package.relations(package.main_part, "/slide")
    outline = SlideOutline()
    for n, slide_id in enumerate(ids, 1):
        document.blocks += _slide(package, n, targets.get(slide_id, ""), outline, document.rejects)
        tick(n)
    return document


def _slide(package: Package, n: int, part: str, outline: SlideOutline, rejects: list[Reason]) -> list[FlowBlock]:
    """Read a slide. What cannot be read of it becomes entries of `rejects`."""
    if not part:
        message = f"slide {n} is missing from the file"
        rejects.append(note("PageError", message, "get a complete copy of the file, or delete the slide and save it again", n))
        return []
    try:
        slide = SlideParts(package, part)
    except DocumentError as error:
        message = f"slide {n} cannot be read: {error}"
        rejects.append(note("PageError", message, "open the presentation in PowerPoint, repair the slide and save it again", n))
        return []
    blocks = [block._replace(page_number=n) for block in slide_blocks(slide, outline)]
    rejects += [note("PartError", f"slide {n}: {problem}", _CHECK, n) for problem in slide.problems]
    return blocks
