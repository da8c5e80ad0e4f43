"""The shapes of a slide as blocks: title, text, tables, pictures, charts, diagrams; then the speaker's notes."""

from collections.abc import Iterator
from typing import Any

from tasks.parse.elements.flow_document import FlowBlock, one_line
from tasks.parse.layout.geometry import Box, as_struct
from tasks.parse.layout.reading_order import RegionToOrder, reading_order
from tasks.parse.office.slide_text import table_block, text_blocks
from tasks.parse.office.xml import chart_text, chosen, diagram_texts, find, name

EMU_PER_POINT = 12_700
MAX_GROUPS = 30
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


def slide_blocks(slide: Any, outline: SlideOutline) -> list[FlowBlock]:
    """Return the blocks of one slide: its title, the other shapes in reading order, its notes."""
    _choose_alternatives(slide.element)
    placed = list(_flat(slide.shapes, UNSCALED, 0))
    titles = [pair for pair in placed if _placeholder(pair[0]) in _TITLES]
    others = [pair for pair in placed if _placeholder(pair[0]) not in _TITLES]
    layout = slide.slide_layout.element.get("type") or ""
    blocks = [block for shape, box in titles for block in _title(shape, box, layout, outline)]
    for shape, box in _in_order(others):
        blocks += [block._replace(bbox=as_struct(box) if box else None) for block in _shape_blocks(shape, slide)]
    return blocks + list(_notes(slide))


def _choose_alternatives(tree: Any) -> None:
    """Replace alternative contents by the one that current programs show, because python-pptx ignores both."""
    for node in list(tree.iter(name("mc:AlternateContent"))):
        parent = node.getparent()
        at = parent.index(node)
        parent[at : at + 1] = chosen(node)


def _flat(shapes: Any, frame: Frame, depth: int) -> Iterator[tuple[Any, Box | None]]:
    """Yield the shapes with their boxes in points. Groups are replaced by their shapes."""
    for shape in shapes:
        if shape.element.tag == name("p:grpSp") and depth < MAX_GROUPS:
            yield from _flat(shape.shapes, _frame(shape, frame), depth + 1)
        else:
            yield shape, _box(shape, frame)


def _frame(group: Any, outer: Frame) -> Frame:
    """Return how `group` maps its own coordinates to those around it."""
    transform = find(group.element, "p:grpSpPr/a:xfrm")
    parts = {child.tag: child for child in transform} if transform is not None else {}
    found = [parts.get(name(f"a:{part}")) for part in ("off", "ext", "chOff", "chExt")]
    if any(part is None for part in found):
        return outer
    off, ext, inner_off, inner_ext = found
    scale_x, shift_x = _axis(off, ext, inner_off, inner_ext, ("x", "cx"))
    scale_y, shift_y = _axis(off, ext, inner_off, inner_ext, ("y", "cy"))
    return scale_x * outer[0], shift_x * outer[0] + outer[1], scale_y * outer[2], shift_y * outer[2] + outer[3]


def _axis(off: Any, ext: Any, inner_off: Any, inner_ext: Any, names: tuple[str, str]) -> tuple[float, float]:
    at, length = names
    scale = float(ext.get(length)) / (float(inner_ext.get(length)) or 1.0)
    return scale, float(off.get(at)) - float(inner_off.get(at)) * scale


def _box(shape: Any, frame: Frame) -> Box | None:
    sides = (shape.left, shape.top, shape.width, shape.height)
    if any(side is None for side in sides):
        return None
    left, top, width, height = (float(side) for side in sides)
    x, y = left * frame[0] + frame[1], top * frame[2] + frame[3]
    ends = (x, y, x + width * frame[0], y + height * frame[2])
    return tuple(round(end / EMU_PER_POINT, 2) for end in ends)  # type: ignore[return-value]


def _in_order(shapes: list[tuple[Any, Box | None]]) -> list[tuple[Any, Box | None]]:
    """Return shapes in reading order; those without a position come last."""
    placed = [(shape, box) for shape, box in shapes if box is not None]
    order = reading_order([RegionToOrder(box) for _, box in placed])
    return [*(placed[n] for n in order), *(pair for pair in shapes if pair[1] is None)]


def _placeholder(shape: Any) -> str:
    """Return the type of a placeholder, `obj` if none is stated, "" for any other shape."""
    found = next(shape.element.iter(name("p:ph")), None)
    return "" if found is None else found.get("type") or "obj"


def _title(shape: Any, box: Box | None, layout: str, outline: SlideOutline) -> Iterator[FlowBlock]:
    text = one_line(" ".join(block.text for block in text_blocks(find(shape.element, "p:txBody"), [])))
    if text:
        yield outline.heading(text, layout, _placeholder(shape))._replace(bbox=as_struct(box) if box else None)


def _shape_blocks(shape: Any, slide: Any) -> Iterator[FlowBlock]:
    element = shape.element
    body = find(element, "p:txBody")
    if _placeholder(shape) in _FURNITURE:
        yield from (FlowBlock("furniture", block.text) for block in text_blocks(body, []))
    elif body is not None:
        yield from text_blocks(body, _list_styles(shape, slide))
    elif (table := find(element, "a:graphic/a:graphicData/a:tbl")) is not None:
        yield table_block(table)
    else:
        yield from _figures(element, slide.part)


def _list_styles(shape: Any, slide: Any) -> list[Any]:
    """Return the list styles that a placeholder inherits, nearest first: of its layout, of the master, of the master's bodies."""
    kind = _placeholder(shape)
    if not kind:
        return []
    layout = getattr(shape, "_base_placeholder", None)
    master = getattr(layout, "_base_placeholder", None)
    styles = [find(base.element, "p:txBody/a:lstStyle") for base in (layout, master) if base is not None]
    return [*styles, find(slide.slide_layout.slide_master.element, "p:txStyles/p:bodyStyle")]


def _figures(element: Any, part: Any) -> Iterator[FlowBlock]:
    """Yield pictures, charts and diagrams. The text of a picture is its alternative text; that of a chart is its data."""
    told = next(element.iter(name("p:cNvPr")), None)
    words = one_line((told.get("descr") or told.get("title") or "") if told is not None else "")
    charts = [chart_text(_tree(part, node.get(name("r:id")))) for node in element.iter(name("c:chart"))]
    diagrams = ["\n".join(diagram_texts(_tree(part, node.get(name("r:dm"))))) for node in element.iter(name("dgm:relIds"))]
    yield from (FlowBlock("figure", "\n".join(filter(None, (words, text)))) for text in [*charts, *diagrams])
    if not charts and not diagrams:
        pictures = [blob for node in element.iter(name("a:blip")) if (blob := _blob(part, node.get(name("r:embed"))))]
        yield from (FlowBlock("figure", words, picture=blob) for blob in pictures)
        if words and not pictures:
            yield FlowBlock("figure", words)


def _blob(part: Any, relation: str | None) -> bytes | None:
    """Return the bytes of what `part` refers to; None if it is outside the file."""
    found = part.rels.get(relation) if relation else None
    return None if found is None or found.is_external else found.target_part.blob


def _tree(part: Any, relation: str | None) -> Any:
    from tasks.parse.office.package import xml_tree

    blob = _blob(part, relation)
    return xml_tree(blob) if blob else None


def _notes(slide: Any) -> Iterator[FlowBlock]:
    """Yield the speaker's notes without the slide, number and date that the notes page repeats."""
    if not slide.has_notes_slide:
        return
    for shape in slide.notes_slide.element.iter(name("p:sp")):
        kind = next(shape.iter(name("p:ph")), None)
        if kind is not None and kind.get("type") == "body":
            blocks = text_blocks(find(shape, "p:txBody"), [])
            yield from (block._replace(text=f"Notes: {block.text}") if n == 0 else block for n, block in enumerate(blocks))
