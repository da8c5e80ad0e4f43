"""Packages of Debian and PyPI whose documents are the sources, each wholly in one split."""

import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import NamedTuple

from benchmarks.debian import unpacked
from benchmarks.report import cache_folder, say


class Shelf(NamedTuple):
    """Documents of one kind and language in a package.

    `pattern` is a glob below the unpacked package, and `most` the sources taken from it at most. `registry` is debian or pypi.
    """

    registry: str
    package: str
    split: str
    kind: str
    pattern: str
    language: str = "en"
    most: int = 12


_DOC = "usr/share/doc"
_HANDBOOK = f"{_DOC}/debian-handbook/html"

SHELVES = (
    Shelf("debian", "debian-policy", "train", "standard", f"{_DOC}/debian-policy/policy.html/ch-*.html"),
    Shelf("debian", "debian-policy", "train", "legal", f"{_DOC}/debian-policy/*.html", most=6),
    Shelf("debian", "r-doc-html", "train", "statistics", f"{_DOC}/r-doc-html/manual/*.html"),
)


def folder_of(shelf: Shelf) -> Path | None:
    """Return the unpacked package of a shelf, fetched unless it is there; None, and a line that says so, where it cannot be had."""
    try:
        return unpacked(shelf.package) if shelf.registry == "debian" else _sdist(shelf.package)
    except SystemExit as error:
        say(f"  {shelf.package} is left out: {error}")
        return None


def _sdist(name: str) -> Path:
    """Return the folder with the source files of a package of PyPI, `name` being such as click==8.1.8.

    Raises:
        SystemExit: pip cannot fetch it.
    """
    folder = cache_folder() / "pypi" / name
    if folder.exists():
        return folder
    with tempfile.TemporaryDirectory(dir=cache_folder()) as scratch:
        command = ["pip", "download", "-q", "--no-deps", "--no-build-isolation", "--no-binary", ":all:", "-d", scratch, name]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        found = list(Path(scratch).glob("*.tar.gz"))
        if not found:
            raise SystemExit(f"pip cannot fetch {name}: {run.stderr.strip()[-200:]}")
        with tarfile.open(found[0]) as archive:
            archive.extractall(f"{scratch}/files", filter="data")
        folder.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(f"{scratch}/files", folder)
    return folder
