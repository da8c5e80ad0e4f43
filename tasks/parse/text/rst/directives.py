"""Explicit markup: what begins with two dots. A directive's name says what kind of element its lines become.

Nothing is fetched, included or run: `include`, `raw` and their like become furniture, text that is not content.
"""

import re
from typing import NamedTuple

_DIRECTIVE = re.compile(r"\.\. +(?:\|[^|]*\| *)?([A-Za-z0-9][\w:+.-]*?) ?::(?: |\Z)")
_SUBSTITUTION = re.compile(r"\.\. +\|[^|\s]")
_REPLACEMENT = re.compile(r"\.\. +\|[^|]*\| *replace::")
_TARGET = re.compile(r"\.\. +_(?:`[^`]*`|[^:]*):|__(?: |\Z)|\.\. +__:")
_NOTE = re.compile(r"\.\. +\[(?:#?[\w.:+-]*|\*)\](?: |\Z)")

CODE = (
    "code", "code-block", "sourcecode", "parsed-literal", "prompt", "doctest", "testcode",
    "testoutput", "testsetup", "testcleanup", "ipython", "productionlist", "graphviz", "digraph", "mermaid", "uml", "plot",
)  # fmt: skip
FIGURES = ("image", "figure")
EQUATION = "math"
SILENT = (
    "include", "literalinclude", "raw", "toctree", "contents", "sectnum", "section-numbering", "index", "highlight", "role",
    "default-role", "default-domain", "meta", "target-notes", "currentmodule", "py:currentmodule", "tabularcolumns",
    "autosummary", "unicode", "date", "title", "header", "footer",
)  # fmt: skip
"""They have no content of their own: they include files, name other documents, or speak to the typesetter."""
TABLES = ("list-table", "csv-table")


class Explicit(NamedTuple):
    """What a line of explicit markup begins: an element of `kind`.

    `whole` tells whether all that is indented is part of it, `bare` whether nothing stands behind a directive's name.
    """

    kind: str
    whole: bool
    name: str = ""
    bare: bool = False


def explicit_markup(line: str) -> Explicit | None:
    """Return what a line begins, without the white space before it; None if it is no explicit markup.

    >>> explicit_markup(".. a comment").kind, explicit_markup(".. note:: Mind.").kind
    ('furniture', 'paragraph')
    """
    if _TARGET.match(line):
        return Explicit("furniture", True)
    if line != ".." and not line.startswith(".. "):
        return None
    if _NOTE.match(line):
        return Explicit("footnote", False)
    if _REPLACEMENT.match(line):
        return Explicit("paragraph", True)
    found = None if _SUBSTITUTION.match(line) else _DIRECTIVE.match(line)
    if not found:
        return Explicit("furniture", True)
    return _of_directive(found[1].lower())._replace(bare=found.end() == len(line))


def _of_directive(name: str) -> Explicit:
    if name in FIGURES:
        return Explicit("figure", name == "image", name)
    if name == "table":
        return Explicit("caption", False, name)
    if name in TABLES:
        return Explicit("table", True, name)
    kinds = {EQUATION: "equation", **dict.fromkeys(CODE, "code"), **dict.fromkeys(SILENT, "furniture")}
    return Explicit(kinds[name], True, name) if name in kinds else Explicit("paragraph", False, name)
