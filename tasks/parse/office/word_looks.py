"""How runs of Word look, where it changes what they say: hidden, raised, lowered, struck through, in a font of symbols."""

from collections.abc import Iterator
from typing import NamedTuple

from tasks.parse.office.xml import XmlElement, find, find_all, is_on, name, number, value
from tasks.parse.symbols import is_symbol_font

LEAST_POSITION = 3
"""Text that stands at least this far off its line, in half points, is raised or lowered. Less evens out a line."""
_SHIFTS = {"superscript": 1, "subscript": -1, "baseline": 0}


class Look(NamedTuple):
    """What readers see of a run. `shift` is 1 if it is raised, -1 if it is lowered. `font` is blank or a font of symbols."""

    hidden: bool = False
    shift: int = 0
    font: str = ""
    struck: bool = False


class _OwnLook(NamedTuple):
    """What properties of text say; None where they say nothing."""

    hidden: bool | None
    shift: int | None
    font: str | None
    struck: bool | None


_NOTHING = _OwnLook(None, None, None, None)


class Looks:
    """The looks that the styles of one document give to text."""

    def __init__(self, tree: XmlElement | None) -> None:
        """`tree` is the styles part, None if the document has none."""
        self._styles = {style.get(name("w:styleId")): style for style in find_all(tree, "w:style")}
        defaults = {style.get(name("w:type")): style for style in self._styles.values() if _is_default(style)}
        self._paragraph = defaults["paragraph"].get(name("w:styleId")) if "paragraph" in defaults else None
        self._default = _read_own_look(find(tree, "w:docDefaults/w:rPrDefault/w:rPr"))
        self._known: dict[str | None, _OwnLook] = {}

    def of_paragraph(self, paragraph: XmlElement) -> Look:
        """Return how runs of a paragraph look that say nothing of their own."""
        return _merged(self._default, self._of_style(value(paragraph, "w:pPr/w:pStyle") or self._paragraph))

    def of_run(self, run: XmlElement, around: Look) -> Look:
        """Return how a run looks in a paragraph that looks as `around`.

        What a character style hides is shown where the style of the paragraph hides it too: such properties are switches.
        """
        properties = next(iter(run), None)  # it comes first, and a search is slow
        if properties is None or properties.tag != name("w:rPr") or not any(child.tag in _SHAPING for child in properties):
            return around
        style, own = self._of_style(value(properties, "w:rStyle")), _read_own_look(properties)
        hidden = around.hidden != bool(style.hidden)
        shift = style.shift if own.shift is None else own.shift
        font = style.font if own.font is None else own.font
        return Look(
            hidden if own.hidden is None else own.hidden,
            around.shift if shift is None else shift,
            around.font if font is None else font,
            around.struck != bool(style.struck) if own.struck is None else own.struck,
        )

    def _of_style(self, style_id: str | None) -> _OwnLook:
        if style_id not in self._known:
            looks = [_read_own_look(find(style, "w:rPr")) for style in self._chain(style_id)]
            self._known[style_id] = _OwnLook(
                next((one.hidden for one in looks if one.hidden is not None), None),
                next((one.shift for one in looks if one.shift is not None), None),
                next((one.font for one in looks if one.font is not None), None),
                next((one.struck for one in looks if one.struck is not None), None),
            )
        return self._known[style_id]

    def _chain(self, style_id: str | None) -> Iterator[XmlElement]:
        seen: set[str | None] = set()
        while style_id in self._styles and style_id not in seen:
            seen.add(style_id)
            yield self._styles[style_id]
            style_id = value(self._styles[style_id], "w:basedOn")


def _is_default(style: XmlElement) -> bool:
    return style.get(name("w:default")) in ("1", "true", "on")


def _merged(outer: _OwnLook, inner: _OwnLook) -> Look:
    hidden, shift, font, struck = (a if b is None else b for a, b in zip(outer, inner, strict=True))
    return Look(bool(hidden), int(shift or 0), str(font or ""), bool(struck))


def _read_own_look(properties: XmlElement | None) -> _OwnLook:
    if properties is None or not len(properties):
        return _NOTHING
    tags = {child.tag for child in properties}
    hidden = is_on(properties, "w:vanish") if name("w:vanish") in tags else None
    shift = _shift(properties) if tags & _MOVING else None
    struck = any(is_on(properties, path) for path in ("w:strike", "w:dstrike")) if tags & _STRIKING else None
    return _OwnLook(hidden, shift, _font(properties) if name("w:rFonts") in tags else None, struck)


_STRIKING = frozenset(map(name, ("w:strike", "w:dstrike")))
_SHAPING = frozenset(map(name, ("w:vanish", "w:vertAlign", "w:position", "w:rFonts", "w:rStyle"))) | _STRIKING
"""Properties that can change what a run says: most runs have none of them."""
_MOVING = frozenset(map(name, ("w:vertAlign", "w:position")))


def _shift(properties: XmlElement) -> int:
    aligned = _SHIFTS.get(value(properties, "w:vertAlign") or "baseline", 0)
    position = number(value(properties, "w:position"), 0)
    return aligned or (position > 0) - (position < 0) if abs(position) >= LEAST_POSITION else aligned


def _font(properties: XmlElement) -> str | None:
    """Return the font of symbols that is named, "" if another font is, None if none is."""
    fonts = find(properties, "w:rFonts")
    told = (fonts.get(name("w:ascii")) or fonts.get(name("w:hAnsi"))) if fonts is not None else None
    return None if told is None else told if is_symbol_font(told) else ""
