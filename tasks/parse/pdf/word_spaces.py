"""Spaces between words that a PDF only leaves white: MuPDF adds them behind Latin letters, and behind none above U+0700.

TeX writes no spaces, so that words of Korean or Hindi would be one, Vietnamese ones that end with letters such as ạ, and an
arrow and the word that it leads to.
"""

import re
from math import inf

from tasks.parse.layout.raw_page import RawChar, RawSpan, TextLine

GAP = 0.15
"""Least white space between two words, in type sizes: what MuPDF takes behind Latin letters."""
SPACED = re.compile("[\u0700-\u1fff\u2190-\u21ff\u2c00-\u2dff\ua4d0-\uabff\u3131-\u318e\uac00-\ud7ff]")
"""Letters above U+0700 of scripts with spaces, or nearly, since those of Thai part phrases; and arrows."""


def with_spaces(line: TextLine, advances: TextLine) -> TextLine:
    """Return an upright line of single characters with a space behind each letter of `SPACED` that white space follows.

    The boxes of `advances`, the same line, are as wide as the pen moves; those of `line` may be as wide as the ink.
    """
    widths = [char["bbox"] for span in advances["spans"] for char in span["chars"]]
    chars = [char for span in line["spans"] for char in span["chars"]]
    if line["dir"][0] < 0.99 or line["wmode"] or len(widths) != len(chars):
        return line
    spans: list[RawSpan] = []
    at, end = 0, -inf
    for span in line["spans"]:
        spaced: list[RawChar] = []
        for char in span["chars"]:
            if at and SPACED.match(chars[at - 1]["c"]) and widths[at][0] - end > GAP * span["size"]:
                spaced.append({"c": " ", "bbox": (end, char["bbox"][1], widths[at][0], char["bbox"][3])})
            spaced.append(char)
            end, at = max(end, widths[at][2]), at + 1
        spans.append({**span, "chars": spaced})
    return {**line, "spans": spans}
