"""The content of a Word paragraph: its words with all tracked changes accepted, and the objects anchored in it."""

from collections.abc import Callable, Iterable
from typing import Any

from tasks.parse.elements.flow_document import FlowBlock, one_line
from tasks.parse.office.charts import chart_text, diagram_texts
from tasks.parse.office.omml import equation_text
from tasks.parse.office.package import TolerantPackage
from tasks.parse.office.word_content import ParagraphContent
from tasks.parse.office.word_looks import Look, Looks
from tasks.parse.office.xml import (
    XmlElement,
    chosen,
    drawing_words,
    find,
    find_all,
    is_on,
    name,
    number,
    value,
)
from tasks.parse.raised import STRUCK
from tasks.parse.symbols import in_font, symbol

_DROPPED = frozenset(
    map(name, ("w:del", "w:moveFrom", "w:pPr", "w:rPr", "w:sdtPr", "w:instrText", "w:delInstrText", "w:tblPr", "mc:Fallback"))
)
_SPOKEN = frozenset(map(name, ("w:t", "w:tab", "w:cr", "w:br", "w:ptab", "w:sym", "w:noBreakHyphen")))
_TEXTS = {name("w:tab"): "\t", name("w:cr"): "\n", name("w:noBreakHyphen"): "-", name("w:ptab"): "\t"}
_EQUATIONS = (name("m:oMath"), name("m:oMathPara"))
_DRAWN = (name("w:drawing"), name("w:pict"), name("w:object"))
_NOTES = {name(f"w:{kind}Reference"): kind for kind in ("footnote", "endnote", "comment")}
_CHECKED, _UNCHECKED = "\u2612", "\u2610"


class TextReader:
    """Reads the paragraphs of one part, with its pictures and charts."""

    def __init__(self, package: TolerantPackage, part: str, looks: Looks, note_label: Callable[[str, str], str]) -> None:
        """`note_label(kind, id)` returns the number of a footnote or endnote."""
        self._package, self._looks = package, looks
        self._around = self._look = Look()
        self._targets = package.relations(part)
        self._note_label = note_label
        self._fields: list[bool] = []
        self._divided: set[Any] | None = None

    def read(self, paragraph: XmlElement, content: ParagraphContent) -> ParagraphContent:
        """Append what is inside a paragraph to `content`, and return it."""
        self._around = self._look = self._looks.of_paragraph(paragraph)
        self._fields, self._divided = [], None
        return self._inside(paragraph, content)

    def _inside(self, node: Iterable[XmlElement], content: ParagraphContent) -> ParagraphContent:
        """Append what is inside `node`. Recursion is safe, because parts nest at most 256 deep."""
        for child in node:
            self._take(child, content)
        return content

    def _run(self, run: XmlElement, content: ParagraphContent) -> None:
        look = self._looks.of_run(run, self._around)
        if not look.hidden:
            self._look = look
            self._inside(run, content)
            self._look = self._around

    def _say(self, text: str, content: ParagraphContent) -> None:
        """Append words, but not those that a form field keeps beside its value."""
        if not content.in_form_field:
            content.add(in_font(self._look.font, text), STRUCK if self._look.struck else self._look.shift)

    def _take(self, child: XmlElement, content: ParagraphContent) -> None:
        tag = child.tag
        if tag == name("w:r"):
            self._run(child, content)
        elif tag in _SPOKEN and any(self._fields):
            return
        elif tag == name("w:t"):
            self._say(child.text or "", content)
        elif tag in _TEXTS:
            content.add(_TEXTS[tag])
        elif tag == name("w:br"):
            content.add("\n")
        elif tag == name("w:sym"):
            content.add(symbol(child.get(name("w:font")) or "", child.get(name("w:char")) or ""), self._look.shift)
        elif tag == name("w:fldChar"):
            self._field(child)
            content.in_form_field = self._form_value(child, content)
        elif tag == name("w:sdt"):
            self._control(child, content)
        elif tag == name("w:ruby"):
            self._ruby(child, content)
        elif tag in _EQUATIONS:
            content.parts.append((0, equation_text(child)))
            content.has_equations = True
        elif tag in _NOTES:
            self._note(child, _NOTES[tag], content)
        elif tag in _DRAWN:
            self._drawing(child, content)
        elif tag == name("mc:AlternateContent"):
            self._inside(chosen(child), content)
        elif tag not in _DROPPED:
            self._inside(child, content)

    def _note(self, reference: XmlElement, kind: str, content: ParagraphContent) -> None:
        """Append the mark of a note. The author's own mark is the text behind the reference."""
        note_id = reference.get(name("w:id")) or ""
        if kind == "comment":
            content.notes.append((kind, note_id, ""))
        elif reference.get(name("w:customMarkFollows")) in ("1", "true", "on"):
            content.notes.append((kind, note_id, _own_mark(reference)))
        else:
            label = f"[{self._note_label(kind, note_id)}]"
            content.notes.append((kind, note_id, label))
            content.add(label)

    def _field(self, mark: XmlElement) -> None:
        """Keep for each field around what follows whether it is in the field's instruction, which readers do not see.

        A field that is not divided from its result in its paragraph hides nothing: its parts are elsewhere, or missing.
        """
        kind = mark.get(name("w:fldCharType"))
        if kind == "begin":
            self._divided = _divided_fields(mark) if self._divided is None else self._divided
            self._fields.append(mark in self._divided)
        elif kind == "separate" and self._fields:
            self._fields[-1] = False
        elif kind == "end" and self._fields:
            self._fields.pop()

    def _form_value(self, mark: XmlElement, content: ParagraphContent) -> bool:
        """Append the value of a check box or list, where its field begins. Return whether the field's own text is dropped."""
        box, choices = find(mark, "w:ffData/w:checkBox"), find(mark, "w:ffData/w:ddList")
        if box is not None:
            told = "w:checked" if find(box, "w:checked") is not None else "w:default"
            content.add(_CHECKED if is_on(box, told) else _UNCHECKED)
        elif choices is not None:
            entries = [entry.get(name("w:val")) or "" for entry in find_all(choices, "w:listEntry")]
            at = number(value(choices, "w:result") or value(choices, "w:default"), 0)
            content.add(entries[at] if 0 <= at < len(entries) else "")
        else:
            return content.in_form_field and mark.get(name("w:fldCharType")) != "end"
        return True

    def _control(self, control: XmlElement, content: ParagraphContent) -> None:
        """Read a content control: a check box is its state, and a prompt is no text."""
        properties = find(control, "w:sdtPr")
        box = find(properties, "w14:checkbox")
        if box is not None:
            content.add(_CHECKED if value(box, "w14:checked", "w14:val") in ("1", "true", "on") else _UNCHECKED)
        elif not is_on(properties, "w:showingPlcHdr"):
            self._inside(find_all(control, "w:sdtContent/*"), content)

    def _ruby(self, ruby: XmlElement, content: ParagraphContent) -> None:
        """Append words, and keep how they are read."""
        word, reading = (
            self._inside(find_all(ruby, f"w:{part}/*"), ParagraphContent()).text.strip() for part in ("rubyBase", "rt")
        )
        content.add(word, self._look.shift)
        if word and reading:
            content.readings[word] = reading

    def _drawing(self, node: XmlElement, content: ParagraphContent) -> None:
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

    def _drawn_texts(self, node: XmlElement) -> list[str]:
        """Return the texts of charts, diagrams, shapes of older drawings, and words drawn as shapes."""
        charts = [self._targets.get(chart.get(name("r:id")) or "") for chart in node.iter(name("c:chart"), name("cx:chart"))]
        diagrams = [self._targets.get(ids.get(name("r:dm")) or "") for ids in node.iter(name("dgm:relIds"))]
        drawn = [body for body in node.iter(name("a:txBody")) if not _is_copy(body, node)]
        paths = [path for path in node.iter(name("v:textpath")) if not _is_copy(path, node)]
        texts = [chart_text(self._package.tree(part)) for part in charts if part]
        texts += ["\n".join(diagram_texts(self._package.tree(part))) for part in diagrams if part]
        texts += [*map(drawing_words, drawn), *(path.get("string") or "" for path in paths)]
        return [text for text in texts if text.strip()]


def _divided_fields(begin: XmlElement) -> set[XmlElement]:
    """Return the marks in the paragraph of `begin` that begin a field whose instruction is divided from its result in it."""
    paragraph = next(begin.iterancestors(name("w:p")), None)
    divided, begun = set(), []
    for mark in paragraph.iter(name("w:fldChar")) if paragraph is not None else ():
        kind = mark.get(name("w:fldCharType"))
        if kind == "begin":
            begun.append(mark)
        elif begun and kind == "separate":
            divided.add(begun[-1])
        elif begun:
            begun.pop()
    return divided


def _own_mark(reference: XmlElement) -> str:
    texts = (
        symbol(node.get(name("w:font")) or "", node.get(name("w:char")) or "") if node.tag == name("w:sym") else node.text or ""
        for node in reference.itersiblings(name("w:t"), name("w:sym"))
    )
    return "".join(texts).strip()


def _is_inside(node: XmlElement, root: XmlElement, tag: str) -> bool:
    """Return whether an element between `node` and `root` has `tag`."""
    parent = node.getparent()
    while parent is not None and parent is not root:
        if parent.tag == tag:
            return True
        parent = parent.getparent()
    return False


def _is_copy(node: XmlElement, root: XmlElement) -> bool:
    """Return whether `node` repeats its neighbour for older programs."""
    return _is_inside(node, root, name("mc:Fallback"))


def _alternative(node: XmlElement) -> str:
    """Return the alternative text of a drawing."""
    told = find(node, ".//wp:docPr")
    texts = (
        [told.get("descr"), told.get("title")] if told is not None else [shape.get("alt") for shape in find_all(node, "v:shape")]
    )
    return one_line(next((text for text in texts if text), ""))
