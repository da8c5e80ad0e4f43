"""Packages of Debian and PyPI whose documents are the sources, each wholly in one split."""

import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import NamedTuple

from benchmarks.debian import unpack_package
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
_PYTHON = f"{_DOC}/python3.11/html"
_INSTALL = f"{_DOC}/installation-guide-amd64"
_APACHE = f"{_DOC}/apache2-doc/manual"
_STATS = f"{_DOC}/python-statsmodels-doc/html"

SHELVES = (
    Shelf("debian", "debian-policy", "train", "standard", f"{_DOC}/debian-policy/policy.html/ch-*.html"),
    Shelf("debian", "debian-policy", "train", "legal", f"{_DOC}/debian-policy/*.html", most=6),
    Shelf("debian", "r-doc-html", "train", "statistics", f"{_DOC}/r-doc-html/manual/*.html"),
    Shelf("debian", "python3.11-doc", "train", "tutorial", f"{_PYTHON}/[ht]*o*/*.html", most=10),
    Shelf("debian", "python3.11-doc", "train", "reference", f"{_PYTHON}/library/*.html", most=10),
    Shelf("debian", "python3.11-doc", "train", "release-notes", f"{_PYTHON}/whatsnew/*.html", most=8),
    Shelf("debian", "git-doc", "train", "man-page", f"{_DOC}/git-doc/git-*.html", most=10),
    Shelf("debian", "debian-handbook", "train", "book", f"{_HANDBOOK}/en-US/*.html"),
    Shelf("debian", "debian-handbook", "train", "book", f"{_HANDBOOK}/ru-RU/*.html", "ru", 5),
    Shelf("debian", "debian-handbook", "train", "book", f"{_HANDBOOK}/zh-CN/*.html", "zh-CN", 5),
    Shelf("debian", "debian-handbook", "train", "book", f"{_HANDBOOK}/ar-MA/*.html", "ar", 6),
    Shelf("debian", "installation-guide-amd64", "train", "manual", f"{_INSTALL}/en/*.html", most=10),
    Shelf("debian", "installation-guide-amd64", "train", "manual", f"{_INSTALL}/ru/*.html", "ru", 5),
    Shelf("debian", "apache2-doc", "train", "reference", f"{_APACHE}/en/**/*.html", most=10),
    Shelf("debian", "apache2-doc", "train", "reference", f"{_APACHE}/zh-cn/**/*.html", "zh-CN", 6),
    Shelf("debian", "anarchism", "train", "book", f"{_DOC}/anarchism/html/*.html", most=8),
    Shelf("debian", "debian-history", "train", "history", f"{_DOC}/debian-history/docs/*.en.html", most=6),
    Shelf("debian", "debmake-doc", "train", "tutorial", f"{_DOC}/debmake-doc/html/*.en.html", most=8),
    Shelf("debian", "gimp-help-ru", "train", "manual", "usr/share/gimp/2.0/help/ru/*.html", "ru", 6),
    Shelf("debian", "manpages-zh", "train", "man-page", "usr/share/man/zh_CN/man[1578]/*.gz", "zh-CN", 6),
    Shelf("pypi", "flask==3.1.3", "train", "tutorial", "*/docs/**/*.rst", most=8),
    Shelf("pypi", "pytest==9.2.0", "train", "release-notes", "*/doc/en/announce/*.rst", most=5),
    Shelf("pypi", "click==8.5.1", "train", "manual", "*/docs/*.md", most=8),
    Shelf("debian", "debian-reference-zh-cn", "test", "manual", "usr/share/debian-reference/ch*.html", "zh-CN", 8),
    Shelf("debian", "postgresql-doc-15", "test", "reference", f"{_DOC}/postgresql-doc-15/html/*.html", most=10),
    Shelf("debian", "exim4-doc-html", "test", "standard", f"{_DOC}/exim4-doc-html/spec_html/ch*.html", most=8),
    Shelf("debian", "aptitude-doc-ru", "test", "manual", f"{_DOC}/aptitude/html/ru/*.html", "ru", 6),
    Shelf("debian", "sqlite3-doc", "test", "reference", f"{_DOC}/sqlite3/*.html", most=10),
    Shelf("debian", "octave-doc", "test", "manual", f"{_DOC}/octave/octave.html/*.html", most=6),
    Shelf("debian", "octave-doc", "test", "legal", f"{_DOC}/octave/octave.html/Copying.html", most=3),
    Shelf("debian", "lilypond-doc-html", "test", "legal", f"{_DOC}/lilypond/html/Documentation/usage/gnu-free*.html", most=3),
    Shelf("debian", "lilypond-doc-html", "test", "reference", f"{_DOC}/lilypond/html/Documentation/notation/*.html", most=6),
    Shelf("debian", "maint-guide", "test", "tutorial", f"{_DOC}/maint-guide/html/*.html", most=6),
    Shelf("debian", "maint-guide-ru", "test", "tutorial", f"{_DOC}/maint-guide-ru/html/*.html", "ru", 5),
    Shelf("debian", "maint-guide-zh-cn", "test", "tutorial", f"{_DOC}/maint-guide-zh-cn/html/*.html", "zh-CN", 5),
    Shelf("debian", "developers-reference", "test", "legal", "usr/share/developers-reference/*.html", most=8),
    Shelf("debian", "python-statsmodels-doc", "test", "statistics", f"{_STATS}/*.html"),
    Shelf("debian", "python-statsmodels-doc", "test", "release-notes", f"{_STATS}/release/*.html", most=5),
    Shelf("debian", "erlang-doc", "test", "manual", f"{_DOC}/erlang-doc/doc/*/*.html", most=8),
    Shelf("debian", "haskell98-report", "test", "standard", f"{_DOC}/haskell98-report/html/haskell98-report-html/*.html", most=6),
    Shelf("debian", "gnucash-docs", "test", "book", f"{_DOC}/gnucash-docs/gnucash-guide-en/**/*.html", most=10),
    Shelf("debian", "debian-kernel-handbook", "test", "book", f"{_DOC}/debian-kernel-handbook/**/*.html", most=5),
    Shelf("debian", "debian-faq", "test", "history", f"{_DOC}/debian/FAQ/*.en.html", most=6),
    Shelf("debian", "manpages-ru", "test", "man-page", "usr/share/man/ru/man[1578]/*.gz", "ru", 6),
    Shelf("debian", "manpages", "test", "man-page", "usr/share/man/man[1578]/*.gz", most=6),
    Shelf("pypi", "django==5.2.19", "test", "reference", "*/docs/ref/**/*.txt", most=8),
    Shelf("pypi", "celery==5.7.0", "test", "tutorial", "*/docs/userguide/*.rst", most=6),
    Shelf("pypi", "hatch==1.18.2", "test", "manual", "*/docs/**/*.md", most=8),
)
"""No LaTeX: what Debian has of it is sources of styles and macros of their own, which pandoc does not read to the end."""


def folder_of(shelf: Shelf) -> Path | None:
    """Return the unpacked package of a shelf, fetched unless it is there; None, which is said, where it cannot be had."""
    try:
        return unpack_package(shelf.package) if shelf.registry == "debian" else _sdist(shelf.package)
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
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "-d", scratch, name]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        found = list(Path(scratch).glob("*.tar.gz"))
        if not found:
            raise SystemExit(f"pip cannot fetch {name}: {run.stderr.strip()[-200:]}")
        with tarfile.open(found[0]) as archive:
            archive.extractall(f"{scratch}/files", filter="data")
        folder.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(f"{scratch}/files", folder)
    return folder
