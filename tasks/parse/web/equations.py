"""Equations on one line, as people type them: a/b, x^2, √x; parentheses only where they are needed."""

import re
from collections.abc import Sequence

_SIMPLE = re.compile(r"[\w.\u221e'\u2032]*|\([^()]*\)|\[[^\[\]]*\]")


def grouped(text: str) -> str:
    """Return `text` in parentheses, unless it is one name or number or already has parentheses.

    >>> grouped("x1"), grouped("a+b"), grouped("(a)")
    ('x1', '(a+b)', '(a)')
    """
    return text if _SIMPLE.fullmatch(text) else f"({text})"


def fraction(above: str, below: str) -> str:
    """Return a fraction.

    >>> fraction("a+b", "2")
    '(a+b)/2'
    """
    return f"{grouped(above)}/{grouped(below)}"


def stack(parts: Sequence[str]) -> str:
    """Return what stands above each other without a line between, as in a binomial coefficient and in columns of a matrix.

    >>> f"({stack(['n', 'k'])})"
    '(n; k)'
    """
    return "; ".join(parts)


def script(base: str, below: str, above: str) -> str:
    """Return a base with its subscript and superscript.

    >>> script("x", "i", "2"), script("∑", "i=1", "n")
    ('x_i^2', '∑_(i=1)^n')
    """
    return base + (f"_{grouped(below)}" if below else "") + (f"^{grouped(above)}" if above else "")


def root(radicand: str, degree: str) -> str:
    """Return a root.

    >>> root("x+1", ""), root("8", "3")
    ('√(x+1)', '3√8')
    """
    return f"{grouped(degree) if degree else ''}\u221a{grouped(radicand)}"
