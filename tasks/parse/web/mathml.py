"""MathML as a line of text."""

from itertools import zip_longest
from typing import Any

from tasks.parse.web.equations import fraction, root, script

MAX_DEPTH = 60
"""Formulas nested deeper are read as the plain text in them."""


def mathml_text(math: Any) -> str:
    """Return a formula as one line: the TeX or words that the page gives for it, if any."""
    told = math.attributes.get("alttext")
    tex = math.css_first('annotation[encoding="application/x-tex"]')
    if told or tex:
        return " ".join((told or tex.text()).split())
    return " ".join(_linear(math, 0).split())


def _linear(node: Any, depth: int) -> str:
    children = [child for child in node.iter() if not child.tag.startswith("annotation")]
    if not children or depth > MAX_DEPTH:
        return " ".join(node.text().split())
    if node.tag == "mmultiscripts":
        return _with_scripts(children, depth)
    parts = [_linear(child, depth + 1) for child in children]
    return _MAKERS.get(node.tag, _joined)(parts) if len(parts) >= _NEEDED.get(node.tag, 0) else _joined(parts)


def _joined(parts: list[str]) -> str:
    """Return the parts of a formula side by side; numbers apart, since 2 and 1/2 are not 21/2."""
    joined = ""
    for part in parts:
        joined += (" " if joined[-1:].isdigit() and part[:1].isdigit() else "") + part
    return joined


def _with_scripts(children: list[Any], depth: int) -> str:
    """Return a base with scripts in pairs, below and above, behind it and, after `mprescripts`, before it."""
    tags = [child.tag for child in children]
    end = tags.index("mprescripts") if "mprescripts" in tags else len(tags)
    base, *behind = (_linear(child, depth + 1) for child in children[:end])
    before = [_linear(child, depth + 1) for child in children[end + 1 :]]
    paired = [
        "".join(script("", below, above) for below, above in zip_longest(scripts[::2], scripts[1::2], fillvalue=""))
        for scripts in (before, behind)
    ]
    return f"{paired[0]}{base}{paired[1]}"


_NEEDED = {"mfrac": 2, "msup": 2, "msub": 2, "mover": 2, "munder": 2, "msubsup": 3, "munderover": 3, "mroot": 2}
_MAKERS: dict[str, Any] = {
    "mfrac": lambda p: fraction(p[0], p[1]),
    "msup": lambda p: script(p[0], "", p[1]),
    "mover": lambda p: script(p[0], "", p[1]),
    "msub": lambda p: script(p[0], p[1], ""),
    "munder": lambda p: script(p[0], p[1], ""),
    "msubsup": lambda p: script(p[0], p[1], p[2]),
    "munderover": lambda p: script(p[0], p[1], p[2]),
    "msqrt": lambda p: root(_joined(p), ""),
    "mroot": lambda p: root(p[0], p[1]),
    "mtr": ", ".join,
    "mtable": lambda p: f"[{'; '.join(p)}]",
}
