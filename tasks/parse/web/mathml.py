"""MathML, and the TeX that scripts of MathJax hold, as a line of text."""

import html
import re
from itertools import accumulate, chain, cycle, zip_longest
from typing import TYPE_CHECKING, Any

from tasks.parse.web.equations import fraction, root, script, stack

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

MAX_DEPTH = 60
"""Formulas nested deeper are read as the plain text in them."""

_SCRIPT = re.compile(
    r"<script\b[^>]*?\stype\s*=\s*[\"']?math/(tex|asciimath|mml)\b[^>]*>(.*?)</script\s*>", re.IGNORECASE | re.DOTALL
)
_STYLED = re.compile(r"\{\\(?:display|text|script)style (.*)\}")
_CDATA = re.compile(r"%?\s*(?:<!\[CDATA\[|\]\]>)")
_RENDERED = re.compile(r"(?:MathJax|MJX|mjx)\w*", re.IGNORECASE)
"""Classes of what MathJax draws before the script that holds its formula."""
_NO_LINE = re.compile(r"0+(?:\.0+)?(?:[a-z]+|%)?", re.IGNORECASE)


def formulas_in_tree(text: str) -> str:
    """Return the source of a page with the formulas that scripts hold for MathJax as elements, which have a text."""
    return _SCRIPT.sub(_as_element, text) if "math/" in text else text


def _as_element(found: re.Match[str]) -> str:
    if found[1].lower() == "mml":
        return found[2]
    return f'<math data-script alttext="{html.escape(_CDATA.sub(" ", found[2]).strip())}"><mtext></mtext></math>'


def take_rendered(page: "LexborHTMLParser") -> None:
    """Take what MathJax has drawn of a formula out of a parsed page where the formula itself stands behind it."""
    for formula in page.css("math[data-script]"):
        while (drawn := _element_before(formula)) is not None and _is_drawn(drawn):
            drawn.decompose()


def _element_before(node: "LexborNode") -> "LexborNode | None":
    """Return the element before a node, None if words stand between them."""
    before = node.prev
    while before is not None and not before.is_element_node and not (before.text_content or "").strip():
        before = before.prev
    return before if before is not None and before.is_element_node else None


def _is_drawn(node: "LexborNode") -> bool:
    return any(map(_RENDERED.fullmatch, (node.attributes.get("class") or "").split()))


def unstyled(tex: str) -> str:
    r"""Return TeX without a group around it that says only how it is set, as MediaWiki writes all formulas.

    >>> unstyled(r"{\displaystyle a^{2}}"), unstyled(r"{\displaystyle a}+{b}")
    ('a^{2}', '{\\displaystyle a}+{b}')
    """
    found = _STYLED.fullmatch(tex)
    depths = accumulate((letter == "{") - (letter == "}") for letter in found[1]) if found else ()
    return found[1] if found and min(depths, default=0) >= 0 else tex


def mathml_text(math: "LexborNode") -> str:
    """Return a formula as one line: the TeX or words that the page gives for it, if any."""
    told = math.attributes.get("alttext")
    tex = math.css_first('annotation[encoding="application/x-tex"]')
    if told or tex:
        return unstyled(" ".join((told or (tex.text() if tex else "")).split()))
    return " ".join(_linear(math, 0).split())


def mathml_source_text(source: str) -> str:
    """Return a formula in MathML as one line, "" if there is none.

    >>> mathml_source_text("<math><mfrac><mi>a</mi><mi>b</mi></mfrac></math>")
    'a/b'
    """
    from selectolax.lexbor import LexborHTMLParser

    math = LexborHTMLParser(source).css_first("math")
    return mathml_text(math) if math is not None else ""


def _linear(node: "LexborNode", depth: int) -> str:
    children = [child for child in node.iter() if not (child.tag or "").startswith("annotation")]
    if not children or depth > MAX_DEPTH:
        return " ".join(node.text().split())
    if node.tag == "mmultiscripts":
        return _with_scripts(children, depth)
    if node.tag == "mfenced":
        return _fenced(node, [_linear(child, depth + 1) for child in children])
    parts = [_linear(child, depth + 1) for child in children]
    if node.tag == "mfrac" and _NO_LINE.fullmatch((node.attributes.get("linethickness") or "").strip()):
        return stack(parts)
    return _MAKERS.get(node.tag or "", _joined)(parts) if len(parts) >= _NEEDED.get(node.tag or "", 0) else _joined(parts)


def _joined(parts: list[str]) -> str:
    """Return the parts of a formula side by side; numbers apart, since 2 and 1/2 are not 21/2."""
    joined = ""
    for part in parts:
        joined += (" " if joined[-1:].isdigit() and part[:1].isdigit() else "") + part
    return joined


def _fenced(node: "LexborNode", parts: list[str]) -> str:
    """Return the parts of an `mfenced` between its fences; the last separator repeats."""
    attributes = node.attributes
    usual = {"open": "(", "close": ")", "separators": ","}
    begin, end, between = (attributes.get(name, sign) or "" for name, sign in usual.items())
    signs = "".join(between.split())
    separators = chain(signs, cycle(signs[-1:])) if signs else cycle([""])
    inner = "".join(f"{separator}{part}" for separator, part in zip(chain([""], separators), parts, strict=False))
    return f"{begin}{inner}{end}"


def _with_scripts(children: "list[LexborNode]", depth: int) -> str:
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
