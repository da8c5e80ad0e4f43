"""Print what is unusually large: long files, long functions, crowded folders. Nothing fails by it, because ideas shape files."""

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
CODE = ("benchmarks", "demo", "expectations", "flows", "pagemill", "reference", "schemas", "tasks", "tests", "training")
LONG_FILE, LONG_FUNCTION, CROWDED_FOLDER = 400, 50, 20  # lines, lines, modules


def main() -> None:
    """Print one line for each of them, largest of a kind first."""
    modules = [path.relative_to(ROOT) for top in CODE for path in sorted((ROOT / top).rglob("*.py"))]
    texts = {path: (ROOT / path).read_text() for path in modules}
    folders = Counter(str(path.parent) for path in modules if path.name != "__init__.py")
    found = [(text.count("\n"), "lines", str(path)) for path, text in texts.items() if text.count("\n") > LONG_FILE]
    found += [row for path, text in texts.items() for row in long_functions(path, text)]
    found += [(n, "modules", f"{folder}/") for folder, n in folders.items() if n > CROWDED_FOLDER]
    for n, unit, place in sorted(found, key=lambda row: (row[1], -row[0])):
        sys.stdout.write(f"large: {place} ({n} {unit})\n")


def long_functions(path: Path, text: str) -> Iterator[tuple[int, str, str]]:
    """Yield length in lines, unit and place of each function of a module that is longer than most."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > LONG_FUNCTION:
                yield lines, "lines", f"{path}:{node.lineno} {node.name}"


if __name__ == "__main__":
    main()
