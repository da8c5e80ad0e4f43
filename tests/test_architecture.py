"""What docs/architecture.md says of the tree is so."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs/architecture.md").read_text()
PATHS = sorted({*re.findall(r"`([\w/]+(?:\.py|/))`", TEXT)})
NAMED = re.findall(r"`([\w/]+\.py)` \(((?:`\w+`(?:, )?)+)\)", TEXT)


@pytest.mark.parametrize("path", PATHS)
def test_every_place_that_is_named_exists(path: str) -> None:
    places = (ROOT, ROOT / "tasks/parse", ROOT / "tasks/chunk")
    assert any((place / path).exists() for place in places)


@pytest.mark.parametrize(("path", "names"), NAMED)
def test_every_function_that_is_named_stands_there(path: str, names: str) -> None:
    tree = ast.parse((ROOT / path).read_text())
    defined = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    assert set(re.findall(r"`(\w+)`", names)) <= defined


def test_the_glossary_is_short_and_has_no_word_twice() -> None:
    words = re.findall(r"^\| ([\w ]+) \|", TEXT.partition("## Glossary")[2], re.MULTILINE)[1:]
    assert 10 < len(words) == len(set(words)) <= 20
