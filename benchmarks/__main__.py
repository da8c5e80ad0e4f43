"""Run one benchmark: `make bench NAME=parsing ARGS="quality --alone"`. Without a name, say which there are.

`ARGS=--help` prints the arguments of a benchmark. PAGEMILL_BENCH names the folder of the benchmark kit for those that need it.
"""

import ast
import pkgutil
import runpy
import sys
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).parent
ELSEWHERE = {"cuda": ("benchmarks.cuda.__main__", "measure"), "scale": ("benchmarks.dask.scale",)}
"""Benchmarks that are no module `run` of their folder: the module, and its first arguments."""


def benchmarks() -> dict[str, tuple[str, ...]]:
    """Return each benchmark's module and first arguments, by name."""
    folders = [found.name for found in pkgutil.iter_modules([str(HERE)]) if found.ispkg]
    return dict(sorted({**{name: (f"benchmarks.{name}.run",) for name in folders}, **ELSEWHERE}.items()))


def about(module: str) -> str:
    """Return the first line of a module's docstring, without importing it."""
    source = HERE.parent.joinpath(*module.split(".")).with_suffix(".py").read_text("utf-8")
    return (ast.get_docstring(ast.parse(source)) or "").partition("\n")[0]


def main(arguments: Sequence[str]) -> None:
    """Run the benchmark that the first argument names, with the others.

    Raises:
        SystemExit: there is no such benchmark; the message lists all.
    """
    known = benchmarks()
    name = arguments[0] if arguments else ""
    if name not in known:
        lines = [f"  {known_name:<11} {about(module)}" for known_name, (module, *_) in known.items()]
        problem = f"there is no benchmark {name}; there are" if name else "make bench NAME=… runs one of"
        raise SystemExit("\n".join([f"{problem}:", *lines, "Its arguments: make bench NAME=… ARGS=--help"]))
    module, *first = known[name]
    sys.argv = [f"make bench NAME={name}", *first, *arguments[1:]]
    runpy.run_module(module, run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1:])
