"""Lists of HTML and the numbers of their items."""

import re
from dataclasses import dataclass
from typing import Any

from tasks.parse.web.numerals import numeral

_NUMBER = re.compile(r"\s*([+-]?\d{1,9})")
_STYLES = {"1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}


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


def list_of(node: Any) -> HtmlList:
    """Return the list that an `ol`, `ul`, `menu`, `dir` or `dl` begins."""
    if node.tag != "ol":
        return HtmlList()
    attributes = node.attributes
    backwards = "reversed" in attributes
    first = sum(child.tag == "li" for child in node.iter()) if backwards and "start" not in attributes else 1
    return HtmlList(
        _STYLES.get(attributes.get("type") or "1", "decimal"), _number(attributes.get("start"), first), -1 if backwards else 1
    )


def _number(value: str | None, otherwise: int) -> int:
    found = _NUMBER.match(value or "")
    return int(found[1]) if found else otherwise
