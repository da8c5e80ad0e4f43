"""Readers: files of packages as normalised HTML. None of them is one of Pagemill's own, which could not judge itself."""

import gzip
import json
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from benchmarks.debian import unpack_package
from benchmarks.report import say
from benchmarks.roundtrip.normal import normalise
from benchmarks.roundtrip.typeset.environment import python

_RST = Path(__file__).with_name("rst_pages.py")
_FRONT = re.compile(r"\A---\n.*?\n---\n|\{[#:.][^{}\n]*\}", re.DOTALL)
"""What generators of sites read in Markdown: front matter, and attributes behind a heading."""


def html_of(paths: Sequence[Path]) -> dict[Path, str]:
    """Return documents as normalised HTML; one that cannot be read is said and missing."""
    texts = _read_rst([path for path in paths if path.suffix in (".rst", ".txt")])
    made = {}
    for path in paths:
        page = texts.get(path) or _page_of(path)
        try:
            made[path] = normalise(page)
        except ValueError as error:
            say(f"  {path.name} cannot be read: {error}")
    return made


def _page_of(path: Path) -> bytes:
    """Return a page of HTML: a file of HTML itself, Markdown by markdown-it, a manual page by mandoc."""
    if path.suffix == ".md":
        return b'<meta charset="utf-8">' + _read_markdown(path.read_text(encoding="utf-8")).encode()
    if path.suffix == ".gz":
        return _read_man(gzip.decompress(path.read_bytes()))
    return path.read_bytes()


def _read_markdown(text: str) -> str:
    from markdown_it import MarkdownIt

    return str(MarkdownIt("commonmark").enable("table").render(_FRONT.sub("", text)))


def _read_man(source: bytes) -> bytes:
    """Return a manual page as HTML, without the line at its head and foot."""
    command = [str(unpack_package("mandoc") / "usr/bin/mandoc"), "-T", "html", "-K", "utf-8"]
    run = subprocess.run(command, input=source, capture_output=True, check=False)
    return re.sub(rb'<table class="(head|foot)">.*?</table>', b"", run.stdout, flags=re.DOTALL)


def _read_rst(paths: Sequence[Path]) -> dict[Path, bytes]:
    if not paths:
        return {}
    command = [python(), "-P", str(_RST)]
    run = subprocess.run(command, input=json.dumps(list(map(str, paths))), capture_output=True, text=True, check=True)
    return {path: b'<meta charset="utf-8">' + page.encode() for path, page in zip(paths, json.loads(run.stdout), strict=True)}
