"""Equations of Office (OMML) as a line of text."""

from collections.abc import Callable
from typing import Any

from tasks.parse.office.xml import XmlElement, find, find_all, name, value
from tasks.parse.web.equations import fraction, grouped, root, script, stack

_M = name("m:r").removesuffix("r")
_ACCENTS = {
    "\u0302": "hat",
    "\u0303": "tilde",
    "\u0305": "bar",
    "\u0304": "bar",
    "\u0307": "dot",
    "\u0308": "ddot",
    "\u20d7": "vec",
}


def equation_text(node: XmlElement) -> str:
    """Return an `m:oMath` or `m:oMathPara` as one line."""
    return " ".join(_all(node).split())


def _all(node: XmlElement | None) -> str:
    """Return the text of all child elements. Recursion is safe, because XML parts nest at most 256 deep."""
    return "" if node is None else "".join(_one(child) for child in node)


def _one(node: XmlElement) -> str:
    tag = str(node.tag)
    if not tag.startswith(_M):
        return "".join(_one(child) for child in node) if tag != name("w:del") else ""
    local = tag.removeprefix(_M)
    if local.endswith("Pr"):
        return ""
    if local == "t":
        return node.text or ""
    return _MAKERS.get(local, _all)(node)


def _part(node: XmlElement, path: str) -> str:
    return _all(find(node, path))


def _delimited(node: XmlElement) -> str:
    begin, end, between = (value(node, f"m:dPr/m:{part}Chr", "m:val") for part in ("beg", "end", "sep"))
    inner = ("|" if between is None else between).join(_all(part) for part in find_all(node, "m:e"))
    return ("(" if begin is None else begin) + inner + (")" if end is None else end)


def _nary(node: XmlElement) -> str:
    sign = value(node, "m:naryPr/m:chr", "m:val") or "\u222b"
    return f"{script(sign, _part(node, 'm:sub'), _part(node, 'm:sup'))} {_part(node, 'm:e')}"


def _matrix(node: XmlElement) -> str:
    return "[" + "; ".join(", ".join(_all(e) for e in find_all(row, "m:e")) for row in find_all(node, "m:mr")) + "]"


def _accented(node: XmlElement) -> str:
    accent = value(node, "m:accPr/m:chr", "m:val") or "\u0302"
    return f"{_ACCENTS.get(accent, accent)}({_part(node, 'm:e')})"


def _fraction(node: XmlElement) -> str:
    parts = [_part(node, "m:num"), _part(node, "m:den")]
    return stack(parts) if value(node, "m:fPr/m:type", "m:val") == "noBar" else fraction(*parts)


_MAKERS: dict[str, Callable[[Any], str]] = {
    "f": _fraction,
    "sSup": lambda n: script(_part(n, "m:e"), "", _part(n, "m:sup")),
    "sSub": lambda n: script(_part(n, "m:e"), _part(n, "m:sub"), ""),
    "sSubSup": lambda n: script(_part(n, "m:e"), _part(n, "m:sub"), _part(n, "m:sup")),
    "sPre": lambda n: script("", _part(n, "m:sub"), _part(n, "m:sup")) + _part(n, "m:e"),
    "rad": lambda n: root(_part(n, "m:e"), _part(n, "m:deg")),
    "d": _delimited,
    "nary": _nary,
    "m": _matrix,
    "acc": _accented,
    "bar": lambda n: f"bar({_part(n, 'm:e')})",
    "limLow": lambda n: script(_part(n, "m:e"), _part(n, "m:lim"), ""),
    "limUpp": lambda n: script(_part(n, "m:e"), "", _part(n, "m:lim")),
    "func": lambda n: f"{_part(n, 'm:fName')} {grouped(_part(n, 'm:e'))}",
    "eqArr": lambda n: stack([_all(e).replace("#", " ") for e in find_all(n, "m:e")]),
}
