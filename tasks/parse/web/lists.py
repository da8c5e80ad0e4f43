"""Lists of HTML and the numbers of their items."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tasks.parse.web.concealment.concealed import declarations
from tasks.parse.web.numerals import numeral

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_NUMBER = re.compile(r"\s*([+-]?\d{1,9})")
_TYPES = {"1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
_STYLES = {
    "decimal": "decimal",
    "decimal-leading-zero": "decimalZero",
    "lower-alpha": "lowerLetter",
    "lower-latin": "lowerLetter",
    "upper-alpha": "upperLetter",
    "upper-latin": "upperLetter",
    "lower-roman": "lowerRoman",
    "upper-roman": "upperRoman",
    "lower-greek": "lowerGreek",
    "cjk-decimal": "ideographDigital",
    "cjk-ideographic": "taiwaneseCountingThousand",
    "trad-chinese-informal": "taiwaneseCountingThousand",
    "simp-chinese-informal": "chineseCountingThousand",
    "simp-chinese-formal": "chineseLegalSimplified",
    "trad-chinese-formal": "ideographLegalTraditional",
    "japanese-informal": "japaneseCounting",
    "japanese-formal": "japaneseLegal",
    "korean-hangul-formal": "koreanCounting",
    "cjk-earthly-branch": "ideographZodiac",
    "cjk-heavenly-stem": "ideographTraditional",
    "katakana": "aiueoFullWidth",
    "katakana-iroha": "irohaFullWidth",
    "hebrew": "hebrew1",
    "devanagari": "hindiNumbers",
    "thai": "thaiNumbers",
    "none": "",
    "disc": "",
    "circle": "",
    "square": "",
}
"""Styles of lists in CSS, and as Open XML names them; "" for no number."""
_CLASSES = {
    "arabic": "decimal",
    "loweralpha": "lower-alpha",
    "upperalpha": "upper-alpha",
    "lowerroman": "lower-roman",
    "upperroman": "upper-roman",
}
"""Classes of lists that docutils and Sphinx write, and their styles."""


@dataclass
class HtmlList:
    """A list whose items are being read. Without a style, items have no number."""

    style: str = ""
    following: int = 1
    step: int = 1

    def marker(self, attributes: dict[str, Any]) -> str:
        """Return the label of the next item, and count it.

        >>> HtmlList("lowerLetter", 3).marker({})
        'c. '
        """
        if not self.style:
            return ""
        number = _number(attributes.get("value"), self.following)
        self.following = number + self.step
        return f"{numeral(number, self.style)}. "


def list_of(node: "LexborNode") -> HtmlList:
    """Return the list that an `ol`, `ul`, `menu`, `dir` or `dl` begins."""
    attributes = node.attributes
    style = _style_of(node.tag or "", attributes)
    if node.tag == "dl" or not style:
        return HtmlList()
    backwards = "reversed" in attributes
    first = sum(child.tag == "li" for child in node.iter()) if backwards and "start" not in attributes else 1
    return HtmlList(style, _number(attributes.get("start"), first), -1 if backwards else 1)


def _style_of(tag: str, attributes: Mapping[str, str | None]) -> str:
    """Return how the items of a list are numbered, by its style, class or type; "" if they are not."""
    styles = declarations(attributes.get("style") or "") if "style" in attributes else {}
    told = f"{styles.get('list-style', '')} {styles.get('list-style-type', '')}".split()
    told = told or [_CLASSES.get(name, "") for name in (attributes.get("class") or "").split()]
    named = [_STYLES[name] for name in told if name in _STYLES]
    if named:
        return named[-1]
    return _TYPES.get(attributes.get("type") or "1", "decimal") if tag == "ol" else ""


def _number(value: str | None, otherwise: int) -> int:
    found = _NUMBER.match(value or "")
    return int(found[1]) if found else otherwise
