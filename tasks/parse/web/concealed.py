"""Concealed text: content of an HTML page that its author hides from readers, by attribute or by style on the element itself.

What style sheets and scripts hide is not known here.
"""

import re
from collections.abc import Mapping
from typing import Any

_UNDISPLAYED = re.compile(
    r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*(?:0+(?:\.0*)?|\.0+)%?\s*(?:!|;|$)"
    r"|font-size\s*:\s*(?:0+(?:\.0*)?[a-z%]*|1(?:px|pt))\s*(?:!|;|$))",
    re.IGNORECASE,
)
_COLOUR = re.compile(r"(?:^|;)\s*color\s*:\s*([^;!]+)", re.IGNORECASE)
_BACKGROUND = re.compile(r"(?:^|;)\s*background(?:-color)?\s*:\s*([^;!]+)", re.IGNORECASE)
_HEX = re.compile(r"#([0-9a-f]{3,8})")
_RGB = re.compile(r"rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)")
NAMED = {"white": "ffffff", "black": "000000"}


def conceals(node: Any) -> bool:
    """Tell whether an element hides its content from readers."""
    attributes = node.attributes
    if not attributes:
        return False
    if "hidden" in attributes and attributes["hidden"] != "until-found":
        return True
    style = attributes.get("style") or ""
    return bool(style) and (bool(_UNDISPLAYED.search(style)) or _has_its_own_background(node, style))


def _has_its_own_background(node: Any, style: str) -> bool:
    """Tell whether the style gives text the colour of the nearest background that a style or attribute gives."""
    given = _COLOUR.search(style)
    colour = colour_of(given[1]) if given else None
    while colour and node is not None and node.is_element_node:
        background = _background(node.attributes)
        if background:
            return colour_of(background) == colour
        node = node.parent
    return False


def _background(attributes: Mapping[str, str | None]) -> str | None:
    found = _BACKGROUND.search(attributes.get("style") or "")
    return found[1] if found else attributes.get("bgcolor")


def colour_of(text: str) -> str | None:
    """Return a colour as six hexadecimal digits; None for names other than white and black, and for functions.

    >>> colour_of("#FFF"), colour_of("rgb(255, 255, 255)"), colour_of(" White "), colour_of("var(--ink)")
    ('ffffff', 'ffffff', 'ffffff', None)
    """
    plain = text.strip().lower()
    if found := _HEX.fullmatch(plain):
        digits = found[1]
        return "".join(2 * digit for digit in digits[:3]) if len(digits) < 6 else digits[:6]
    if found := _RGB.match(plain):
        return "".join(f"{int(part):02x}" for part in found.groups())
    return NAMED.get(plain)
