"""Concealed text: what the author of an HTML page hides from readers, by attribute or by style on elements.

What a click or a script shows is text: panels of tabs, accordions, `details`, dialogs that something on the page opens, blocks
that wait at opacity 0 or without visibility for a script. Only what nothing reveals is hidden. Visibility, type size and colour
follow the inheritance of CSS: a child may be seen in a hidden parent. What style sheets and external scripts do is not known
here.
"""

import re
from collections.abc import Container, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from tasks.parse.elements.flow_document import one_line
from tasks.parse.web.concealment.colours import CLEAR, Colour, are_alike, colour_of, ground_of
from tasks.parse.web.concealment.reveals import Reveals, waits_for_script
from tasks.parse.web.events import NEVER_SHOWN, Events

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

_UNDISPLAYED = "[hidden], dialog, [aria-hidden='true'], [style*='display' i], [style*='opacity' i]"
_PHRASING = frozenset("a abbr b bdi bdo cite code data em i img kbd mark q s samp small span strong sub sup svg u var".split())
_LENGTH = re.compile(r"((?:\d*\.)?\d+)(px|pt|pc|in|cm|mm|q|r?em|ex|ch|%|v\w+)?")
_UNITS = {"px": 1.0, "pt": 4 / 3, "pc": 16.0, "in": 96.0, "cm": 37.8, "mm": 3.78, "q": 0.945, "rem": 16.0}
USUAL_SIZE = 16.0
"""Pixels of ordinary type in browsers."""
SMALLEST_SIZE = 1.5
"""Type smaller than this, in pixels, cannot be read: mail programs use 0 and 1 to hide a preview."""
TINY = 4
"""So many times that size may become smaller by the sizes around it."""


class Look(NamedTuple):
    """What an element inherits: whether it is visible, its type size in pixels, its colour, and the ground that it stands on."""

    visible: bool = True
    size: float = USUAL_SIZE
    colour: Colour | None = None
    ground: Colour | None = None

    @property
    def is_shown(self) -> bool:
        """Whether readers see text with this look."""
        return self.visible and self.size >= SMALLEST_SIZE and self.colour != CLEAR and not are_alike(self.colour, self.ground)


def take_concealed(page: "LexborHTMLParser") -> list[str]:
    """Take concealed text out of a parsed page, and return it in order: one line for each element that conceals some."""
    if page.body is None:
        return []
    reveals = Reveals(page)
    if _may_change_looks([node.attributes for node in page.css("[style], [bgcolor], font[color]")]):
        groups = _take_all(page.body, reveals)
    else:
        groups = _take_undisplayed(page.css(_UNDISPLAYED), reveals)
    return [text for group in groups if (text := one_line(" ".join(group)))]


def _may_change_looks(styled: Sequence[Mapping[str, str | None]]) -> bool:
    """Return whether any style or attribute can make text invisible, tiny, or of the colour behind it."""
    own = {(at.get("style") or "", at.get("bgcolor"), at.get("color")) for at in styled}
    looks = [_look({"style": style, "bgcolor": ground, "color": colour}, Look()) for style, ground, colour in own]
    if any(not look.visible or look.size < TINY * SMALLEST_SIZE or look.colour == CLEAR for look in looks):
        return True
    grounds = {look.ground for look in looks if look.ground}
    return any(are_alike(colour, ground) for colour in {look.colour for look in looks} for ground in grounds)


def _take_undisplayed(nodes: "Sequence[LexborNode]", reveals: Reveals) -> list[list[str]]:
    """Take elements that nothing displays out of the page; return the texts in each, in order."""
    hidden = {node.mem_id: node for node in nodes if _is_undisplayed(node, node.attributes, reveals)}
    outside: set[int] = set()
    outer = [node for node in hidden.values() if not _is_inside(node, hidden, outside)]
    groups = []
    for node in outer:
        groups.append(_texts_of(node))
        node.decompose()
    return groups


def _is_inside(node: "LexborNode", hidden: Container[int], outside: set[int]) -> bool:
    """Return whether a node is in one of `hidden`. What is in none is added to `outside`, so that no way up is gone twice."""
    passed = []
    above = node.parent
    while above is not None and above.is_element_node and above.mem_id not in outside:
        if above.mem_id in hidden:
            return True
        passed.append(above.mem_id)
        above = above.parent
    outside.update(passed)
    return False


def _take_all(body: "LexborNode", reveals: Reveals) -> list[list[str]]:
    """Take all that nobody sees out of the page, by the look that each element inherits; return the texts, in order."""
    groups: list[list[str]] = []
    base = _look(body.attributes, Look())._replace(visible=True)
    waiting = [(child, base, -1) for child in reversed(list(body.iter(include_text=True)))]
    while waiting:
        node, look, group = waiting.pop()
        if node.is_text_node and group >= 0:
            groups[group].append(node.text_content or "")
            node.decompose()
        if not node.is_element_node or node.tag in NEVER_SHOWN:
            continue
        attributes = node.attributes
        if _is_undisplayed(node, attributes, reveals):
            groups.append(_texts_of(node))
            node.decompose()
            continue
        inner = _revealed(node, _look(attributes, look), look, attributes, reveals) if attributes else look
        if inner.is_shown or group < 0:
            groups += [] if inner.is_shown else [[]]
            group = -1 if inner.is_shown else len(groups) - 1
        waiting += [(child, inner, group) for child in reversed(list(node.iter(include_text=True)))]
    return groups


def _is_decoration(tag: str, attributes: Mapping[str, str | None]) -> bool:
    return tag in _PHRASING and attributes.get("aria-hidden") == "true"


def _is_read_for_picture(node: "LexborNode") -> bool:
    """Return whether an element is the formula that a picture behind it shows, which is marked as decoration."""
    after = node.next
    while after is not None and not after.is_element_node:
        after = after.next
    return after is not None and _is_decoration(after.tag or "", after.attributes) and node.css_first("math") is not None


def _texts_of(node: "LexborNode") -> list[str]:
    return [inner.text_content or "" for kind, _, inner in Events(node, with_root=False) if kind == "text"]


@lru_cache(maxsize=1024)
def declarations(style: str) -> Mapping[str, str]:
    """Return the declarations of a style in lower case, as they count: the last one, unless an earlier is important.

    >>> declarations("Color: red; color: BLUE; opacity:0 !important; opacity:1")
    {'color': 'blue', 'opacity': '0'}
    """
    found: dict[str, tuple[bool, str]] = {}
    for part in style.lower().split(";"):
        name, colon, value = part.partition(":")
        plain, mark, _ = value.partition("!")
        name, important = name.strip(), bool(mark)
        if colon and plain.strip() and important >= found.get(name, (False, ""))[0]:
            found[name] = important, plain.strip()
    return {name: value for name, (_, value) in found.items()}


def _is_undisplayed(node: "LexborNode", attributes: Mapping[str, str | None], reveals: Reveals) -> bool:
    """Return whether nothing displays an element. `aria-hidden` marks decoration only on parts of a line."""
    tag = node.tag
    if not attributes:
        return bool(tag == "dialog")
    if _is_decoration(tag or "", attributes):
        return True
    styles = declarations(attributes.get("style") or "")
    given = styles.get("display")
    if given == "none" and _is_read_for_picture(node):
        return False
    if given == "none" or (tag == "dialog" and "open" not in attributes):
        return not reveals.shows(node, attributes)
    if "hidden" in attributes and attributes["hidden"] != "until-found" and given is None:
        return not reveals.shows(node, attributes)
    clear = _number(styles.get("opacity", "1")) == 0
    return clear and not waits_for_script(attributes, styles) and not reveals.shows(node, attributes)


def _number(value: str) -> float | None:
    found = _LENGTH.fullmatch(value)
    return float(found[1]) if found else None


def _revealed(node: "LexborNode", inner: Look, outer: Look, attributes: Mapping[str, str | None], reveals: Reveals) -> Look:
    """Return `inner`, visible if only a script makes it so."""
    if inner.visible or not outer.visible:
        return inner
    styles = declarations(attributes.get("style") or "")
    return inner._replace(visible=waits_for_script(attributes, styles) or reveals.shows(node, attributes))


def _look(attributes: Mapping[str, str | None], outer: Look) -> Look:
    """Return the look of an element inside one with the look `outer`."""
    styles = declarations(attributes.get("style") or "")
    ground = ground_of(styles, attributes.get("bgcolor"), outer.ground)
    if not styles:
        return outer._replace(ground=ground, colour=colour_of(attributes.get("color") or "") or outer.colour)
    seen = styles.get("visibility", "inherit")
    ink = styles.get("color") or attributes.get("color")
    inherits = ink is None or ink in ("inherit", "currentcolor", "unset")
    colour = outer.colour if inherits else colour_of(ink or "")
    if colour == CLEAR and "text" in styles.get("background-clip", styles.get("-webkit-background-clip", "")):
        colour = None
    return Look(
        outer.visible if seen in ("inherit", "unset") else seen not in ("hidden", "collapse"),
        _size(styles, outer.size), colour, ground,
    )  # fmt: skip


def _size(styles: Mapping[str, str], outer: float) -> float:
    """Return the type size in pixels; the usual one for a size that is not understood."""
    if "font-size" in styles:
        return _pixels(styles["font-size"], outer, unitless=True) or 0.0
    sizes = (
        _pixels(part, outer, unitless=False)
        for part in re.split(r"[\s/]+", styles.get("font", ""))
        if part[:1].isdigit() or part[:1] == "."
    )
    return next((size for size in sizes if size is not None), outer)


def _pixels(value: str, outer: float, unitless: bool) -> float | None:
    found = _LENGTH.fullmatch(value)
    if not found:
        return outer if value in ("inherit", "unset", "smaller", "larger") else USUAL_SIZE
    number, unit = float(found[1]), found[2] or ""
    if not unit and number and not unitless:
        return None
    if unit in ("em", "%", "ex", "ch"):
        return outer * number / {"em": 1, "%": 100}.get(unit, 2)
    return number * _UNITS.get(unit, 1.0)
