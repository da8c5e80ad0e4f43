"""Loading libraries without what they import and Pagemill does not use: it takes longer than all the rest.

Each command is a process of its own, so it would pay at every start. With these hooks, `import lance` takes 0.18 s instead of
0.31 s, `import lancedb` 0.6 s instead of 1.05 s, and Great Expectations 1.2 s instead of 2.4 s (two cores, warm disk). What is
left out is loaded as usual when something asks for it later.
"""

import importlib
import os
import sys
import threading
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType

LAZY = ("lance_namespace_urllib3_client", "altair", "scipy.stats")
"""A generated client of catalogues behind HTTP, which LanceDB imports for the types of its messages; the charts of Great
Expectations' reports; and its statistics, which only the comparison with earlier lengths of chunks needs."""


class _LazyLoader(SourceFileLoader):
    """Runs the `__init__` of a package when an attribute of it is asked for; modules below it can be imported before.

    `importlib.util.LazyLoader` cannot be used: an import of a module below the package would load all of it.
    """

    def exec_module(self, module: ModuleType) -> None:
        def getattr_of_module(name: str) -> object:
            if name.startswith("__"):
                raise AttributeError(name)
            del module.__dict__["__getattr__"]
            super(_LazyLoader, self).exec_module(module)
            return getattr(module, name)

        module.__dict__["__getattr__"] = getattr_of_module


class _ImportFilter:
    """Finds modules of LAZY so that they are loaded when they are used, and those of `absent` not at all.

    It works in the thread that made it alone: others may import such modules meanwhile.
    """

    def __init__(self, absent: Collection[str]) -> None:
        self.absent = absent
        self.thread = threading.get_ident()

    def find_spec(self, name: str, path: Sequence[str] | None, target: object = None) -> ModuleSpec | None:
        if name in self.absent and threading.get_ident() == self.thread:
            raise ModuleNotFoundError(f"{name} is imported when something needs it", name=name)
        spec = PathFinder.find_spec(name, path) if name in LAZY else None
        if spec and spec.origin:
            spec.loader = _LazyLoader(name, spec.origin)
        return spec


@contextmanager
def skip_imports(*absent: str) -> Iterator[None]:
    """Import modules in the block without those of LAZY, and as if `absent` were not installed."""
    finder = _ImportFilter(absent)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


def import_lance() -> ModuleType:
    """Return the module `lance`, without pandas: Arrow's datasets try to import it, and do it again to make a data frame.

    What it says of an index of vectors leaves out the centres of its lists, which are large. It computes on all cores: by
    itself it leaves two to other work, so that on two cores vectors were not looked for before words were found.
    """
    os.environ.setdefault("LANCE_INCLUDE_VECTOR_CENTROIDS", "false")
    os.environ.setdefault("LANCE_CPU_THREADS", str(len(os.sched_getaffinity(0))))
    with skip_imports("pandas"):
        import lance
    return lance


def import_openvino() -> ModuleType:
    """Return the module `openvino`, without its tools to convert models: they report to their maker that they were imported."""
    with skip_imports("openvino.tools", "openvino_telemetry"):
        return importlib.import_module("openvino")


def import_lancedb() -> ModuleType:
    """Return the module `lancedb`."""
    with skip_imports("pandas"):
        import lancedb
    return lancedb


def import_expectations() -> ModuleType:
    """Return the module `great_expectations.expectations`."""
    with skip_imports():
        return importlib.import_module("great_expectations.expectations")
