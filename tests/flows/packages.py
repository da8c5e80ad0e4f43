"""Packages that the documentation shows, installed and run by tests."""

import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest


def read_block(page: str, heading: str, kind: str) -> str:
    """Return the first block of code of a kind below a heading of a page."""
    found = re.search(rf"```{kind}\n(.*?)```", Path(page).read_text().partition(f"# {heading}\n")[2], re.DOTALL)
    assert found
    return found[1]


def install_package(page: str, heading: str, name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Install the package that a page shows below a heading; return where. Nothing is fetched: it is built by setuptools."""
    package, site = folder / "package", folder / "site"
    package.mkdir()
    (package / "pyproject.toml").write_text(read_block(page, heading, "toml"))
    (package / f"{name}.py").write_text(read_block(page, heading, "python"))
    command = [str(Path(sys.prefix) / "bin/uv"), "pip", "install", "--quiet", "--offline", "--no-build-isolation", "--no-deps"]
    subprocess.run([*command, "--target", str(site), str(package)], check=True)
    monkeypatch.syspath_prepend(site)
    importlib.invalidate_caches()
    return site
