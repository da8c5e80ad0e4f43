"""The pages of the Python package and of its errors."""

import ast
import inspect
import re
from types import ModuleType
from typing import Any

import pagemill
from reference.markdown import code, table
from schemas import errors

HEADINGS = ("Args", "Returns", "Raises")


def package_page() -> str:
    """Return the page of the package: its functions, and the methods of what they return."""
    doors = [_entry("pagemill.refresh", pagemill.refresh), _entry("pagemill.open", pagemill.open)]
    classes = [_class(kind) for kind in (pagemill.OpenCorpus, pagemill.Hits)]
    about = inspect.cleandoc(pagemill.__doc__ or "")
    return "\n\n".join(["# Python", f"{about} [Python](../python.md) shows it at work.", *doors, *classes]) + "\n"


def errors_page() -> str:
    """Return the page of errors: the tree, and each error with what it means."""
    title, _, tree = inspect.cleandoc(errors.__doc__ or "").partition("\n\n")
    rows = [[code(kind.__name__), code(kind.__bases__[0].__name__), inspect.getdoc(kind) or ""] for kind in error_classes()]
    return "\n\n".join(["# Errors", title, f"```\n{tree}\n```", table(["error", "is a", "meaning"], rows)]) + "\n"


def error_classes(module: ModuleType = errors) -> list[type[Exception]]:
    """Return the errors of Pagemill in the order of the module."""
    tree = ast.parse(inspect.getsource(module))
    return [getattr(module, node.name) for node in tree.body if isinstance(node, ast.ClassDef)]


def _class(kind: type) -> str:
    own = [(name, value) for name, value in vars(kind).items() if not name.startswith("_") and inspect.getdoc(value)]
    methods = [
        _entry(f"{kind.__name__}.{name}", value, level=3) for name, value in own if callable(value) or isinstance(value, property)
    ]
    return "\n\n".join([f"## {kind.__name__}", inspect.getdoc(kind) or "", *methods])


def _entry(name: str, value: Any, level: int = 2) -> str:
    shown = name if isinstance(value, property) else f"{name}{signature(value)}"
    return f"{'#' * level} {name}\n\n```python\n{shown}\n```\n\n{prose(inspect.getdoc(value) or '')}"


def signature(function: Any) -> str:
    """Return the signature of a function without `self`, and without quotes around types."""
    whole = inspect.signature(function)
    kept = [parameter for name, parameter in whole.parameters.items() if name != "self"]
    return str(whole.replace(parameters=kept)).replace("'", "").replace('"', "")


def prose(docstring: str) -> str:
    r"""Return a docstring as Markdown: its sections become lists.

    >>> print(prose("Return it.\n\nRaises:\n    InputError: it is\n        wrong."))
    Return it.
    <BLANKLINE>
    **Raises**
    <BLANKLINE>
    - InputError: it is wrong.
    """
    parts = re.split(rf"^({'|'.join(HEADINGS)}):\n", docstring, flags=re.MULTILINE)
    blocks = [parts[0].rstrip()]
    for heading, body in zip(parts[1::2], parts[2::2], strict=True):
        indented = inspect.cleandoc(f"\n{body}")
        if heading == "Returns":
            blocks.append(f"**{heading}** {indented}")
        else:
            items = re.sub(r"\n\s+", " ", indented).splitlines()
            blocks.append(f"**{heading}**\n\n" + "\n".join(f"- {item}" for item in items if item.strip()))
    return "\n\n".join(blocks)
