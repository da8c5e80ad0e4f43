"""The content of a Word paragraph: its words with all tracked changes accepted, and the objects anchored in it."""

from dataclasses import dataclass, field
from typing import Any

from tasks.parse.elements.flow_document import FlowBlock, one_line
from tasks.parse.office.omml import equation_text
from tasks.parse.office.package import Package
from tasks.parse.office.xml import chart_text, chosen, diagram_texts, find, find_all, is_on, name

_DROPPED = frozenset(
    map(name, ("w:del", "w:moveFrom", "w:pPr", "w:rPr", "w:sdtPr", "w:instrText", "w:delInstrText", "w:tblPr", "mc:Fallback"))
)
_TEXTS = {name("w:tab"): "\t", name("w:cr"): "\n", name("w:noBreakHyphen"): "-", name("w:ptab"): "\t"}
_EQUATIONS = (name("m:oMath"), name("m:oMathPara"))
_DRAWN = (name("w:drawing"), name("w:pict"), name("w:object"))
_NOTES = {name("w:footnoteReference"): "footnote", name("w:endnoteReference"): "endnote"}
_GREEK = dict(zip("abcdefghijklmnopqrstuvwxyzDFGJLPQSUWXY", "αβχδεφγηιϕκλμνοπθρστυϖωξψζΔΦΓϑΛΠΘΣΥΩΞΨ", strict=True))
_SYMBOLS = {0xA3: "≤", 0xA5: "∞", 0xAE: "→", 0xB0: "°", 0xB1: "±", 0xB3: "≥", 0xB4: "×", 0xB7: "•", 0xB8: "÷", 0xB9: "≠"}  # noqa: RUF001
_SYMBOLS |= {0xBB: "≈", 0xC5: "⊕", 0xCE: "∈", 0xD1: "∇", 0xD5: "∏", 0xD6: "√", 0xE5: "∑", 0xF2: "∫", 0xB6: "∂"}


@dataclass
class ParagraphContent:
    """A paragraph's text and the objects in it: figures, text boxes (the elements that contain their paragraphs), notes."""

    parts: list[str] = field(default_factory=list)
    has_words: bool = False
    has_equations: bool = False
    figures: list[FlowBlock] = field(default_factory=list)
    boxes: list[Any] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text, including white space."""
        return "".join(self.parts)

    def add(self, text: str) -> None:
        """Append words."""
        self.parts.append(text)
        self.has_words = self.has_words or bool(text.strip())


class TextReader:
    """Reads the paragraphs of one part, with its pictures and charts."""

    def __init__(self, package: Package, part: str, note_label: Any) -> None:
        """`note_label(kind, id)` returns the number of a footnote or endnote."""
        self._package = package
        self._targets = package.relations(part)
        self._note_label = note_label

    def read(self, node: Any, content: ParagraphContent) -> ParagraphContent:
        """Append what is inside `node` to `content`, and return it. Recursion is safe, because parts nest at most 256 deep."""
        for child in node:
            self._take(child, content)
        return content

    def _take(self, child: Any, content: ParagraphContent) -> None:
        tag = child.tag
        if tag == name("w:t"):
            content.add(child.text or "")
        elif tag in _TEXTS:
            content.add(_TEXTS[tag])
        elif tag == name("w:br"):
            content.add("" if child.get(name("w:type")) in ("page", "column") else "\n")
        elif tag == name("w:sym"):
            content.add(symbol(child.get(name("w:font")) or "", child.get(name("w:char")) or ""))
        elif tag in _EQUATIONS:
            content.parts.append(equation_text(child))
            content.has_equations = True
        elif tag in _NOTES:
            note = _NOTES[tag], child.get(name("w:id")) or ""
            content.notes.append(note)
            content.add(f"[{self._note_label(*note)}]")
        elif tag in _DRAWN:
            self._drawing(child, content)
        elif tag == name("mc:AlternateContent"):
            self.read(chosen(child), content)
        elif not (tag in _DROPPED or (tag == name("w:r") and is_on(child, "w:rPr/w:vanish"))):
            self.read(child, content)

    def _drawing(self, node: Any, content: ParagraphContent) -> None:
        """Read a drawing. Text boxes are read like the body; pictures, charts and diagrams are figures."""
        boxes = [box for box in node.iter(name("w:txbxContent")) if not _is_copy(box, node)]
        content.boxes += [box for box in boxes if not _is_inside(box, node, name("w:txbxContent"))]
        words = _alternative(node)
        pictures = [*node.iter(name("a:blip")), *node.iter(name("v:imagedata"))]
        for picture in pictures:
            if not _is_inside(picture, node, name("w:txbxContent")) and not _is_copy(picture, node):
                target = self._targets.get(picture.get(name("r:embed")) or picture.get(name("r:id")) or "")
                content.figures.append(FlowBlock("figure", words, picture=self._package.read(target) if target else None))
        content.figures += [FlowBlock("figure", text) for text in self._drawn_texts(node)]
        if words and not pictures and not boxes and not content.figures:
            content.figures.append(FlowBlock("figure", words))

    def _drawn_texts(self, node: Any) -> list[str]:
        charts = [self._targets.get(chart.get(name("r:id")) or "") for chart in node.iter(name("c:chart"))]
        diagrams = [self._targets.get(ids.get(name("r:dm")) or "") for ids in node.iter(name("dgm:relIds"))]
        texts = [chart_text(self._package.tree(part)) for part in charts if part]
        return texts + ["\n".join(diagram_texts(self._package.tree(part))) for part in diagrams if part]


def _is_inside(node: Any, root: Any, tag: str) -> bool:
    """Tell whether an element between `node` and `root` has `tag`."""
    parent = node.getparent()
    while parent is not None and parent is not root:
        if parent.tag == tag:
            return True
        parent = parent.getparent()
    return False


def _is_copy(node: Any, root: Any) -> bool:
    """Tell whether `node` repeats its neighbour for older programs."""
    return _is_inside(node, root, name("mc:Fallback"))


def _alternative(node: Any) -> str:
    """Return the alternative text of a drawing."""
    told = find(node, ".//wp:docPr")
    texts = (
        [told.get("descr"), told.get("title")] if told is not None else [shape.get("alt") for shape in find_all(node, "v:shape")]
    )
    return one_line(next((text for text in texts if text), ""))


def symbol(font: str, code: str) -> str:
    """Return a character of a symbol font; "" for an unknown private character.

    >>> symbol("Symbol", "F062"), symbol("Wingdings", "F0E0"), symbol("Arial", "2022")
    ('β', '', '•')
    """
    try:
        point = int(code, 16)
    except ValueError:
        return ""
    if 0xF000 <= point <= 0xF0FF:
        point -= 0xF000
        if font.lower() != "symbol":
            return ""
        return _GREEK.get(chr(point)) or _SYMBOLS.get(point) or (chr(point) if 0x20 <= point < 0x40 else "")
    return chr(point) if 0x20 <= point <= 0x10FFFF and not 0xD800 <= point < 0xF900 else ""
