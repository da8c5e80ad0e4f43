"""Loading Lance and LanceDB without what they import and Pagemill does not use: it takes longer than all the rest.

Whatever is left out is loaded as usual when something asks for it later.
"""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType
from typing import Any

REST_CLIENT = "lance_namespace_urllib3_client"
"""A generated client of catalogues behind HTTP, which LanceDB imports for the types of its messages."""


class _Lazily(SourceFileLoader):
    """Runs the `__init__` of a package when an attribute of it is asked for; modules below it can be imported before."""

    def exec_module(self, module: ModuleType) -> None:
        def getattr_of_module(name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            del module.__dict__["__getattr__"]
            super(_Lazily, self).exec_module(module)
            return getattr(module, name)

        module.__dict__["__getattr__"] = getattr_of_module


class _Sparingly:
    """Finds no pandas, as if it were not installed, and the REST client so that it is loaded when it is used."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: Any = None) -> ModuleSpec | None:
        if name == "pandas":
            raise ModuleNotFoundError("pandas is imported when something needs it", name=name)
        spec = PathFinder.find_spec(name, path) if name == REST_CLIENT else None
        if spec and spec.origin:
            spec.loader = _Lazily(name, spec.origin)
        return spec


@contextmanager
def sparingly() -> Iterator[None]:
    """Import modules without pandas and the REST client, unless they are there. Arrow imports pandas to make a data frame."""
    finder = _Sparingly()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


def lance_library() -> Any:
    """Return the module `lance`."""
    with sparingly():
        import lance
    return lance


def lancedb_library() -> Any:
    """Return the module `lancedb`."""
    with sparingly():
        import lancedb
    return lancedb
