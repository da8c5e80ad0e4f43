"""Raised and lowered characters as plain text: 10⁶ is not 106, and 45.6¹ not 45.61.

Digits and signs become those that Unicode has for it, which readers, models and search all take for one word with what stands
before them; the rest is written behind ^ or _.
"""

SIGNS = "+-\N{MINUS SIGN}=()"
RAISED = dict(zip("0123456789" + SIGNS + "n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ", strict=True))
LOWERED = dict(zip("0123456789" + SIGNS, "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎", strict=True))
ORDINALS = frozenset("st nd rd th er re ère e ème o a os as º ª".split())
"""Endings in English, French, Spanish, Italian and Portuguese: written so where nothing can be raised, as in 19th and XXe."""
MARKS = frozenset("tm sm ® © ™".split())


def superscript(text: str) -> str:
    """Return raised text as it is written behind what it belongs to.

    >>> superscript("6"), superscript("-3"), superscript("n+1"), superscript("k"), superscript("1, 2"), superscript("th")
    ('⁶', '⁻³', 'ⁿ⁺¹', '^k', '^(1, 2)', 'th')
    """
    return _written(text, RAISED, "^")


def subscript(text: str) -> str:
    """Return lowered text as it is written behind what it belongs to.

    >>> "H" + subscript("2") + "O", "V" + subscript("max"), "x" + subscript("i, j")
    ('H₂O', 'V_max', 'x_(i, j)')
    """
    return _written(text, LOWERED, "_")


def _written(text: str, characters: dict[str, str], mark: str) -> str:
    inner = text.strip()
    if not inner or inner.casefold() in ORDINALS | MARKS or not any(map(str.isalnum, inner)):
        return text
    if all(letter in characters for letter in inner):
        written = "".join(characters[letter] for letter in inner)
    else:
        written = mark + (inner if inner.isalnum() else f"({inner})")
    return text.replace(inner, written, 1)
