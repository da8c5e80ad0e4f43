"""What docs/architecture.md says of the tree is so, and the tree keeps to its sizes."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs/architecture.md").read_text()
PATHS = sorted({*re.findall(r"`([\w/]+(?:\.py|/))`", TEXT)})
NAMED = re.findall(r"`([\w/]+\.py)` \(((?:`\w+`(?:, )?)+)\)", TEXT)
CODE = ("benchmarks", "demo", "expectations", "flows", "pagemill", "schemas", "tasks", "tests", "training")
MODULES = [path for top in CODE for path in (ROOT / top).rglob("*.py")]
MOST_MODULES, MOST_LINES, MOST_FUNCTION_LINES = 16, 250, 40


@pytest.mark.parametrize("path", PATHS)
def test_every_place_that_is_named_exists(path: str) -> None:
    places = (ROOT, ROOT / "tasks/parse", ROOT / "tasks/chunk")
    assert any((place / path).exists() for place in places)


@pytest.mark.parametrize(("path", "names"), NAMED)
def test_every_function_that_is_named_stands_there(path: str, names: str) -> None:
    tree = ast.parse((ROOT / path).read_text())
    defined = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    assert set(re.findall(r"`(\w+)`", names)) <= defined


def test_the_glossary_has_no_word_twice() -> None:
    words = re.findall(r"^\| (\w+) \|", TEXT.partition("## Glossary")[2], re.MULTILINE)[1:]
    assert len(words) == len(set(words)) >= 25


def test_no_folder_holds_too_many_modules() -> None:
    folders = {path.parent for path in MODULES}
    counts = {folder: sum(path.name != "__init__.py" for path in folder.glob("*.py")) for folder in folders}
    assert {str(folder): n for folder, n in counts.items() if n > MOST_MODULES} == {}


def test_no_module_is_too_long() -> None:
    lengths = {str(path): len(path.read_text().splitlines()) for path in MODULES}
    assert {path: n for path, n in lengths.items() if n > MOST_LINES} == {}


def test_no_function_is_too_long() -> None:
    long = [
        f"{path}:{node.name}"
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef) and (node.end_lineno or 0) - node.lineno >= MOST_FUNCTION_LINES
    ]
    assert long == []
