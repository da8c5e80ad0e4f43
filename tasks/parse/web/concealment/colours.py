"""Colours of text and of the ground behind it, as styles and attributes of HTML give them."""

import re
from collections.abc import Mapping

from PIL import ImageColor

Colour = tuple[int, ...]
"""Red, green, blue and opacity, from 0 to 255."""
ALIKE = 8
"""Largest difference, in each of red, green and blue, of colours that nobody can tell apart."""
_RGB = re.compile(r"rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)\s*(?:[,/]\s*((?:\d*\.)?\d+)(%?)\s*)?\)")
_HEX = re.compile(r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})")
CLEAR = (0, 0, 0, 0)


def colour_of(text: str) -> Colour | None:
    """Return a colour of CSS; None for functions other than rgb, and for what is no colour.

    >>> colour_of("#FFF"), colour_of("rgb(255, 0, 0)"), colour_of(" White "), colour_of("transparent"), colour_of("var(--ink)")
    ((255, 255, 255, 255), (255, 0, 0, 255), (255, 255, 255, 255), (0, 0, 0, 0), None)
    """
    plain = text.strip().lower()
    if found := _RGB.fullmatch(plain):
        opacity = 1.0 if found[4] is None else float(found[4]) / (100 if found[5] else 1)
        return (*(min(int(part), 255) for part in found.groups()[:3]), round(255 * min(opacity, 1))) if opacity else CLEAR
    if _HEX.fullmatch(plain) or plain in ImageColor.colormap:
        colour = ImageColor.getcolor(plain, "RGBA")
        return colour if isinstance(colour, tuple) and colour[3] else CLEAR
    return CLEAR if plain == "transparent" else None


def ground_of(styles: Mapping[str, str], attribute: str | None, behind: Colour | None) -> Colour | None:
    """Return the colour of an element's ground: its own, else what is `behind` it; None for a picture or anything unknown."""
    given = styles.get("background-color") or styles.get("background") or attribute
    if "(" in styles.get("background", "").replace("rgb(", "") or "url(" in styles.get("background-image", ""):
        return None
    if not given:
        return behind
    parts = [given] if "(" in given else given.split()
    colour = next((colour for part in parts if (colour := colour_of(part))), None)
    if colour is None:
        return None if "(" in given else behind
    return behind if colour == CLEAR else colour if colour[3] == 255 else None


def are_alike(colour: Colour | None, ground: Colour | None) -> bool:
    """Return whether text of a colour cannot be told from the ground behind it. Of None nothing is known."""
    if colour is None or ground is None:
        return False
    return max(abs(a - b) for a, b in zip(colour[:3], ground[:3], strict=True)) <= ALIKE
