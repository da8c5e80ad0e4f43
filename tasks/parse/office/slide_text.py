"""The text of a shape on a slide: paragraphs and list items, with the bullets that they inherit."""

from collections.abc import Iterator, Sequence

from tasks.parse.elements.flow_document import FlowBlock, one_line, tidy
from tasks.parse.office.omml import equation_text
from tasks.parse.office.xml import XmlElement, find, find_all, name, number, unescaped, value
from tasks.parse.raised import STRUCK, shifted_text
from tasks.parse.symbols import in_font
from tasks.parse.tables.cells import Cell
from tasks.parse.web.numerals import numeral

_BULLETS = ("a:buChar", "a:buAutoNum", "a:buBlip")
_STYLES = {
    "arabic1": "arabicAlpha",
    "arabic2": "arabicAbjad",
    "arabicDb": "decimalFullWidth",
    "arabic": "decimal",
    "alphaLc": "lowerLetter",
    "alphaUc": "upperLetter",
    "romanLc": "lowerRoman",
    "romanUc": "upperRoman",
    "circleNum": "decimalEnclosedCircle",
    "ea1Chs": "chineseCounting",
    "ea1Cht": "taiwaneseCounting",
    "ea1JpnChs": "japaneseCounting",
    "ea1JpnKor": "japaneseCounting",
    "hebrew2": "hebrew2",
    "hindiNum": "hindiNumbers",
    "thaiAlpha": "thaiLetters",
    "thaiNum": "thaiNumbers",
}
"""How kinds of bullets begin, and the styles of their numbers. The first that fits counts."""
_ENDS = {"ParenR": ")", "Plain": "", "Minus": "-"}
LEVELS = 9
_NO_NUMBER = "\u2039#\u203a"
"""What a field keeps in place of the number of the slide."""


class ItemNumbering:
    """Numbers the items of one shape."""

    def __init__(self) -> None:
        self._counts: list[int | None] = [None] * LEVELS

    def label(self, rule: XmlElement | None, level: int) -> str:
        """Return the label of the next item of `level`, counted from 0. `rule` is its bullet, None if it is not an item."""
        self._counts[level + 1 :] = [None] * (LEVELS - level - 1)
        if rule is None or rule.tag != name("a:buAutoNum"):
            self._counts[level] = None
            return ""
        kind = rule.get("type") or "arabicPeriod"
        before = self._counts[level]
        count = self._counts[level] = number(rule.get("startAt"), 1) if before is None else before + 1
        figure = numeral(count, next((style for prefix, style in _STYLES.items() if kind.startswith(prefix)), "decimal"))
        if kind.endswith("ParenBoth"):
            return f"({figure}) "
        return f"{figure}{next((sign for end, sign in _ENDS.items() if kind.endswith(end)), '.')} "


def text_blocks(body: XmlElement | None, inherited: Sequence[XmlElement | None]) -> Iterator[FlowBlock]:
    """Yield the paragraphs of a text body. `inherited` are the list styles that apply where it has none, nearest first."""
    items = ItemNumbering()
    for paragraph in find_all(body, "a:p"):
        text, is_equation = paragraph_text(paragraph)
        if not text:
            continue
        properties = find(paragraph, "a:pPr")
        level = max(0, min(number(properties.get("lvl") if properties is not None else None, 0), LEVELS - 1))
        rule = _bullet(properties, [find(body, "a:lstStyle"), *inherited], level)
        label = items.label(rule, level)
        if is_equation:
            yield FlowBlock("equation", text)
        else:
            yield FlowBlock("list_item", label + text, level + 1) if rule is not None else FlowBlock("paragraph", text)


def paragraph_text(paragraph: XmlElement) -> tuple[str, bool]:
    """Return a paragraph's text, and whether it is nothing but equations."""
    parts: list[tuple[int, str]] = []
    words = equations = False
    for child in paragraph:
        if child.tag == name("a:br"):
            parts.append((0, "\n"))
        elif child.tag in (name("a:r"), name("a:fld")):
            parts.append(_run(child))
            words = words or bool(parts[-1][1].strip())
        elif child.tag == name("a14:m"):
            parts.append((0, equation_text(child)))
            equations = True
    return tidy(shifted_text(parts).replace("\v", "\n")), equations and not words


def _run(run: XmlElement) -> tuple[int, str]:
    """Return the shift of a run, 1 if it is raised, -1 if it is lowered and `STRUCK` if it is struck, and its text."""
    text = unescaped("".join(node.text or "" for node in find_all(run, "a:t")))
    if text == _NO_NUMBER and run.tag == name("a:fld"):
        return 0, ""
    properties = find(run, "a:rPr")
    if properties is None:
        return 0, text
    baseline = number((properties.get("baseline") or "0").removesuffix("%").partition(".")[0], 0)
    shift = STRUCK if (properties.get("strike") or "noStrike") != "noStrike" else (baseline > 0) - (baseline < 0)
    return shift, in_font(_font(properties, text), text)


def _font(properties: XmlElement, text: str) -> str:
    """Return the font of a run. Its font for symbols shows those letters that are not ASCII, such as the arrow for -->."""
    font = value(properties, "a:latin", "typeface") or ""
    symbols = value(properties, "a:sym", "typeface") or ""
    return symbols if symbols and not any(map(str.isalnum, filter(str.isascii, text))) else font


def _bullet(properties: XmlElement | None, styles: Sequence[XmlElement | None], level: int) -> XmlElement | None:
    """Return the bullet of a paragraph: its own, else that of the nearest style, else None."""
    for place in [properties, *(find(style, f"a:lvl{level + 1}pPr") for style in styles)]:
        if find(place, "a:buNone") is not None:
            return None
        found = next((rule for path in _BULLETS if (rule := find(place, path)) is not None), None)
        if found is not None:
            return found
    return None


def table_block(table: XmlElement) -> FlowBlock:
    """Return a table, `a:tbl`, as a block."""
    cells = []
    for r, row in enumerate(find_all(table, "a:tr")):
        for c, cell in enumerate(find_all(row, "a:tc")):
            if not _is_on(cell, "hMerge") and not _is_on(cell, "vMerge"):
                text = one_line(" ".join(paragraph_text(p)[0] for p in find_all(cell, "a:txBody/a:p")))
                spans = (max(1, number(cell.get(span), 1)) for span in ("rowSpan", "gridSpan"))
                cells.append(Cell(r, c, text, *spans))
    properties = find(table, "a:tblPr")
    return FlowBlock("table", cells=tuple(cells), n_head=int(properties is not None and _is_on(properties, "firstRow")))


def _is_on(node: XmlElement, attribute: str) -> bool:
    return node.get(attribute) in ("1", "true", "on")
