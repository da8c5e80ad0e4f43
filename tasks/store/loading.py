"""Loading Lance: the library, without what only other programs need of it."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any


class _NoPandas:
    """Finds no module `pandas`, as if it were not installed."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: Any = None) -> None:
        if name == "pandas":
            raise ModuleNotFoundError("pandas is imported when something needs it", name=name)


@contextmanager
def without_pandas() -> Iterator[None]:
    """Let what is imported in the block go without pandas: Arrow's datasets import it, which takes longer than all else.

    Arrow imports it later, when a table becomes a data frame.
    """
    finder = _NoPandas()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


def lance_library() -> Any:
    """Return the module `lance`."""
    with without_pandas():
        import lance
    return lance


def lancedb_library() -> Any:
    """Return the module `lancedb`."""
    with without_pandas():
        import lancedb
    return lancedb
