"""The shapes of a slide as blocks: title, text, tables, pictures, charts, diagrams; then the speaker's notes."""

import re
from collections.abc import Iterator

from tasks.parse.elements.flow_document import FlowBlock, one_line
from tasks.parse.layout.geometry import Box, as_struct
from tasks.parse.layout.reading_order import RegionToOrder, reading_order
from tasks.parse.office.charts import chart_text, diagram_texts
from tasks.parse.office.slide_parts import SlideParts
from tasks.parse.office.slide_text import table_block, text_blocks
from tasks.parse.office.xml import XmlElement, drawing_words, find, name

EMU_PER_POINT = 12_700
MAX_GROUPS = 30
MAX_EMU = 1e10
"""No slide is larger: such a length is an error."""
_UNITS = {"": 1.0, "emu": 1.0, "in": 914_400.0, "cm": 360_000.0, "mm": 36_000.0, "pt": 12_700.0, "pc": 152_400.0, "pi": 152_400.0}
_LENGTH = re.compile(r"([-+]?\d{1,18}(?:\.\d{0,30})?(?:e[-+]?\d{1,2})?)(|emu|in|cm|mm|pt|pc|pi)", re.IGNORECASE)
_SHAPES = frozenset(map(name, ("p:sp", "p:grpSp", "p:graphicFrame", "p:cxnSp", "p:pic", "p:contentPart")))
_TITLES = ("title", "ctrTitle")
_FURNITURE = ("dt", "ftr", "sldNum", "hdr")
Frame = tuple[float, float, float, float]
"""How a group transforms its shapes: factor and offset along x, then along y."""
UNSCALED: Frame = (1.0, 0.0, 1.0, 0.0)


class SlideOutline:
    """The headings of a presentation: its title, its sections, its slides."""

    def __init__(self) -> None:
        self._n_slides = 0
        self._top = 0
        self._in_section = False

    def heading(self, text: str, layout: str, placeholder: str) -> FlowBlock:
        """Return a slide's title. The first may be the presentation's title; one on a section layout starts a section."""
        first, self._n_slides = self._n_slides == 0, self._n_slides + 1
        if first and placeholder == "ctrTitle":
            self._top = 1
            return FlowBlock("title", text, 1)
        if layout == "secHead" or placeholder == "ctrTitle":
            self._in_section = True
            return FlowBlock("heading", text, self._top + 1)
        return FlowBlock("heading", text, self._top + 1 + self._in_section)


def slide_blocks(slide: SlideParts, outline: SlideOutline) -> list[FlowBlock]:
    """Return the blocks of one slide: its title, the other shapes in reading order, its notes and comments, what it hides."""
    shapes = find(slide.tree, "p:cSld/p:spTree")
    placed = list(_flat(shapes, slide, UNSCALED, 0))
    titles = [pair for pair in placed if _placeholder(pair[0]) in _TITLES]
    others = [pair for pair in placed if _placeholder(pair[0]) not in _TITLES]
    layout = slide.layout.get("type") or "" if slide.layout is not None else ""
    blocks = [block for shape, box in titles for block in _title(shape, box, layout, outline)]
    for shape, box in in_order(others):
        blocks += [block._replace(bbox=as_struct(box) if box else None) for block in _shape_blocks(shape, slide)]
    return [*blocks, *_notes(slide), *_comments(slide), *_hidden(shapes)]


def _flat(shapes: XmlElement | None, slide: SlideParts, frame: Frame, depth: int) -> Iterator[tuple[XmlElement, Box | None]]:
    """Yield the shapes that are shown with their boxes in points. Groups are replaced by their shapes."""
    for shape in shapes if shapes is not None else ():
        if _is_hidden(shape):
            continue
        if shape.tag == name("p:grpSp") and depth < MAX_GROUPS:
            yield from _flat(shape, slide, _frame(shape, frame), depth + 1)
        elif shape.tag in _SHAPES:
            yield shape, _box(shape, slide, frame)


def _is_hidden(shape: XmlElement) -> bool:
    """Return whether the selection pane hides a shape. A hidden title still names its slide: it is hidden for its looks."""
    told = find(shape, "*/p:cNvPr")
    return told is not None and told.get("hidden") in ("1", "true") and _placeholder(shape) not in _TITLES


def _hidden(shapes: XmlElement | None) -> Iterator[FlowBlock]:
    """Yield the text of shapes that are hidden."""
    for shape in shapes if shapes is not None else ():
        if _is_hidden(shape):
            text = one_line(drawing_words(shape))
            yield from [FlowBlock("hidden", text)] if text else []
        elif shape.tag == name("p:grpSp"):
            yield from _hidden(shape)


def _frame(group: XmlElement, outer: Frame) -> Frame:
    """Return how `group` maps its own coordinates to those around it: unchanged, if it does not say so in numbers."""
    transform = find(group, "p:grpSpPr/a:xfrm")
    here, inner = _sides(transform, "off", "ext"), _sides(transform, "chOff", "chExt")
    if here is None or inner is None:
        return outer
    scale_x, scale_y = here[2] / (inner[2] or 1.0), here[3] / (inner[3] or 1.0)
    shift_x, shift_y = here[0] - inner[0] * scale_x, here[1] - inner[1] * scale_y
    return scale_x * outer[0], shift_x * outer[0] + outer[1], scale_y * outer[2], shift_y * outer[2] + outer[3]


def _sides(transform: XmlElement | None, offset: str, extent: str) -> tuple[float, float, float, float] | None:
    """Return left, top, width and height in EMU; None if one is missing or no number."""
    off, ext = find(transform, f"a:{offset}"), find(transform, f"a:{extent}")
    if off is None or ext is None:
        return None
    left, top, width, height = (emu(node.get(side)) for node, side in ((off, "x"), (off, "y"), (ext, "cx"), (ext, "cy")))
    return None if left is None or top is None or width is None or height is None else (left, top, width, height)


def emu(text: str | None) -> float | None:
    """Return a length in EMU, None if it is none. Programs write fractions, exponents and other units, too.

    >>> emu("914400"), emu("1e3"), emu("0.5in"), emu("far"), emu("nan")
    (914400.0, 1000.0, 457200.0, None, None)
    """
    found = _LENGTH.fullmatch((text or "").strip())
    length = float(found[1]) * _UNITS[found[2].lower()] if found else None
    return length if length is not None and abs(length) <= MAX_EMU else None


def _box(shape: XmlElement, slide: SlideParts, frame: Frame) -> Box | None:
    sides = _own_sides(shape)
    placeholder = next(shape.iter(name("p:ph")), None)
    if sides is None and placeholder is not None:
        sides = next((found for base in slide.bases(placeholder) if (found := _own_sides(base))), None)
    if sides is None:
        return None
    left, top, width, height = sides
    x, y = left * frame[0] + frame[1], top * frame[2] + frame[3]
    ends = (x, y, x + width * frame[0], y + height * frame[2])
    return tuple(round(end / EMU_PER_POINT, 2) for end in ends)  # type: ignore[return-value]


def _own_sides(shape: XmlElement) -> tuple[float, float, float, float] | None:
    transform = find(shape, "p:spPr/a:xfrm")
    return _sides(find(shape, "p:xfrm") if transform is None else transform, "off", "ext")


def in_order(shapes: list[tuple[XmlElement, Box | None]]) -> list[tuple[XmlElement, Box | None]]:
    """Return shapes in reading order; those without a position come last."""
    placed = [(shape, box) for shape, box in shapes if box is not None]
    order = reading_order([RegionToOrder(box) for _, box in placed])
    return [*(placed[n] for n in order), *(pair for pair in shapes if pair[1] is None)]


def _placeholder(shape: XmlElement) -> str:
    """Return the type of a placeholder, `obj` if none is stated, "" for any other shape."""
    found = next(shape.iter(name("p:ph")), None)
    return "" if found is None else found.get("type") or "obj"


def _title(shape: XmlElement, box: Box | None, layout: str, outline: SlideOutline) -> Iterator[FlowBlock]:
    text = one_line(" ".join(block.text for block in text_blocks(find(shape, "p:txBody"), [])))
    if text:
        yield outline.heading(text, layout, _placeholder(shape))._replace(bbox=as_struct(box) if box else None)


def _shape_blocks(shape: XmlElement, slide: SlideParts) -> Iterator[FlowBlock]:
    body = find(shape, "p:txBody")
    if _placeholder(shape) in _FURNITURE:
        yield from (FlowBlock("furniture", block.text) for block in text_blocks(body, []))
    elif body is not None:
        yield from text_blocks(body, _list_styles(shape, slide))
        yield from _figures(shape, slide)
    elif (table := find(shape, "a:graphic/a:graphicData/a:tbl")) is not None:
        yield table_block(table)
    else:
        yield from _figures(shape, slide)


def _list_styles(shape: XmlElement, slide: SlideParts) -> list[XmlElement | None]:
    """Return the list styles that a placeholder inherits, nearest first: of its layout, of the master, of the master's bodies."""
    placeholder = next(shape.iter(name("p:ph")), None)
    if placeholder is None:
        return []
    styles = [find(base, "p:txBody/a:lstStyle") for base in slide.bases(placeholder)]
    return [*styles, find(slide.master, "p:txStyles/p:bodyStyle")]


def _figures(shape: XmlElement, slide: SlideParts) -> Iterator[FlowBlock]:
    """Yield pictures, charts and diagrams. The text of a picture is its alternative text; that of a chart is its data."""
    told = next(shape.iter(name("p:cNvPr")), None)
    has_text = find(shape, "p:txBody") is not None
    words = one_line((told.get("descr") or told.get("title") or "") if told is not None and not has_text else "")
    charts = [chart_text(slide.tree_of(node.get(name("r:id")))) for node in shape.iter(name("c:chart"), name("cx:chart"))]
    diagrams = ["\n".join(diagram_texts(slide.tree_of(node.get(name("r:dm"))))) for node in shape.iter(name("dgm:relIds"))]
    for text in (*charts, *diagrams):
        if text or words:
            yield FlowBlock("figure", "\n".join(part for part in (words, text) if part))
    if not charts and not diagrams:
        pictures = [blob for node in shape.iter(name("a:blip")) if (blob := slide.data(node.get(name("r:embed"))))]
        yield from (FlowBlock("figure", words, picture=blob) for blob in pictures)
        if words and not pictures:
            yield FlowBlock("figure", words)


def _notes(slide: SlideParts) -> Iterator[FlowBlock]:
    """Yield the speaker's notes without the slide, number and date that the notes page repeats."""
    for shape in slide.notes.iter(name("p:sp")) if slide.notes is not None else ():
        kind = next(shape.iter(name("p:ph")), None)
        if kind is not None and kind.get("type") == "body":
            blocks = text_blocks(find(shape, "p:txBody"), [])
            yield from (block._replace(text=f"Notes: {block.text}") if n == 0 else block for n, block in enumerate(blocks))


def _comments(slide: SlideParts) -> Iterator[FlowBlock]:
    """Yield what readers remarked: older comments have one text, newer ones and replies to them have paragraphs."""
    for tree in slide.comments:
        for node in tree.iter("{*}text", "{*}txBody"):
            text = one_line(drawing_words(node) or node.text or "")
            if text:
                yield FlowBlock("note", text)
