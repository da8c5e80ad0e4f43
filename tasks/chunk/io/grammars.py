"""Grammars: which tree-sitter grammars are installed. They change how code is cut."""

from importlib.metadata import PackageNotFoundError, version

PACKAGES = ("tree-sitter", "tree-sitter-python", "tree-sitter-javascript")


def grammar_facts(strategy: str) -> dict[str, dict[str, str]]:
    """Return the installed grammars and their versions, for strategies that use them."""
    return {"grammars": dict(_installed_versions())} if strategy in ("code", "adaptive", "parent-child") else {}


def _installed_versions() -> list[tuple[str, str]]:
    found = []
    for name in PACKAGES:
        try:
            found.append((name, version(name)))
        except PackageNotFoundError:
            continue
    return found
