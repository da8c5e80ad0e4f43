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


UNFILTERED = {"read_columns", "read_batches", "read_rows_of", "open_published", "open_unrestricted", "open_table"}
"""What reads tables whoever asks."""
TOLD_TO_ALL = {
    "pagemill/opened.py": {"open_unrestricted", "open_table"},  # behind `check_whole`
    "tasks/search/io/chunks.py": {"open_unrestricted"},  # every query is restricted there
    "tasks/search/io/check_access.py": {"read_columns", "read_batches"},  # finds anew what may be read
}
ADMINISTRATION = {
    *("generations", "rollback", "status", "verify", "repair", "backup", "purge", "deliver", "check_access_command"),
    *("switch_to_candidate_command", "discard_candidate_command"),
}
"""Commands of those who run a corpus: they tell numbers, paths that they were given, and what is broken, but of no document."""


def test_what_answers_reads_tables_as_who_asks_may() -> None:
    found: dict[str, set[str]] = {}
    for room in ("pagemill", "tasks/search", "tasks/serve", "flows/cli"):
        for path in sorted((ROOT / room).rglob("*.py")):
            tree = ast.parse(path.read_text())
            used = {node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "") for node in ast.walk(tree)}
            if used & UNFILTERED:
                found[str(path.relative_to(ROOT))] = used & UNFILTERED
    assert found == TOLD_TO_ALL


def test_every_command_about_a_corpus_knows_who_asks() -> None:
    trees = [ast.parse(path.read_text()) for path in sorted((ROOT / "flows/cli").rglob("*.py"))]
    for function in (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        given = {one.arg: ast.unparse(one.annotation) for one in function.args.args if one.annotation}
        if "CorpusOption" in given.values() and function.name not in ADMINISTRATION:
            assert given.get("asker") == "As", function.name
