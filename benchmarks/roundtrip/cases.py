"""Cases: sources set in styles, with their truth, built once for each state of the code and kept in the benchmarks' cache."""

import hashlib
import json
import multiprocessing
import re
import shutil
import tempfile
from collections import defaultdict
from html import unescape
from pathlib import Path
from typing import NamedTuple

from benchmarks.report import cache_folder, say
from benchmarks.roundtrip.documents import draw_sources, spread
from benchmarks.roundtrip.drawn import drawn_sources
from benchmarks.roundtrip.dressed import dress_headings
from benchmarks.roundtrip.packages import SHELVES
from benchmarks.roundtrip.pieces import shorten
from benchmarks.roundtrip.source import Source
from benchmarks.roundtrip.styles import STYLES, Style
from benchmarks.roundtrip.truth import truth_of
from benchmarks.roundtrip.typeset import chromium, latex, office, typst, weasy
from benchmarks.roundtrip.whole import is_whole

TYPESETTERS = {
    "weasy": weasy.typeset,
    "chromium": chromium.typeset,
    "typst": typst.typeset,
    "latex": latex.typeset,
    "office": office.typeset,
}
STYLES_A_SOURCE = 2
PAGES = 2.2
"""Pages that a source fills at most, about."""
PROCESSES = 2
LATIN_ONLY = ("latex",)
"""Typesetters that set no other scripts without more ado."""


class Case(NamedTuple):
    """A source in a style: `<split>/pdf/<name>.pdf` and `<split>/truth/<name>.md` below the folder of cases."""

    name: str
    package: str
    kind: str
    language: str
    typesetter: str
    style: str
    pages: int


def cases_of(split: str) -> tuple[Path, list[Case]]:
    """Return the folder of a split and its cases in an order of chance, built unless they are there."""
    folder = cache_folder() / "roundtrip" / f"cases-{_key()}" / split
    if not (folder / "cases.json").exists():
        say(f"  building the cases of the split {split} in {folder}, once")
        cases = _build(split, folder)
        (folder / "cases.json").write_text(json.dumps([case._asdict() for case in cases], indent=1))
    told = json.loads((folder / "cases.json").read_text())
    return folder, sorted((Case(**case) for case in told), key=lambda case: spread(case.name))


def _key() -> str:
    """Return a hash of all code that makes cases."""
    paths = sorted(path for path in Path(__file__).parent.rglob("*") if path.suffix in (".py", ".css"))
    code = [path.read_bytes() for path in paths if path.name not in ("run.py", "scoring.py")]
    return hashlib.sha256(b"\0".join(code)).hexdigest()[:12]


def _build(split: str, folder: Path) -> list[Case]:
    for name in ("pdf", "truth", "styles"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    sources = [*draw_sources([shelf for shelf in SHELVES if shelf.split == split]), *drawn_sources(split)]
    say(f"    {len(sources)} sources of {len({source.package for source in sources})} packages and drawings")
    jobs: dict[str, list[Source]] = defaultdict(list)
    for source in sources:
        for style in styles_of(source, split):
            jobs[style.name].append(source)
    with multiprocessing.get_context("spawn").Pool(PROCESSES) as pool:
        work = [(style, jobs[style.name], folder) for style in STYLES if style.name in jobs]
        return [case for cases in pool.imap(_set, work, chunksize=1) for case in cases]


def styles_of(source: Source, split: str) -> list[Style]:
    """Return the styles of a source, by a hash of its name."""
    latin = source.language.split("-")[0] in ("en", "de", "fr", "es", "it", "pt", "pl", "nl", "sv")
    able = [style for style in STYLES if style.split == split and style.typesetter in TYPESETTERS]
    able = [style for style in able if latin or style.typesetter not in LATIN_ONLY]
    return sorted(able, key=lambda style: spread(f"{source.name}/{style.name}"))[:STYLES_A_SOURCE]


def _set(job: tuple[Style, list[Source], Path]) -> list[Case]:
    """Set sources in a style, unless an earlier build did; return the cases that are whole."""
    style, sources, folder = job
    done = folder / "styles" / f"{style.name}.json"
    if done.exists():
        return [Case(**case) for case in json.loads(done.read_text())]
    prepared = {source.name: prepared_for(source, style) for source in sources}
    with tempfile.TemporaryDirectory() as scratch:
        made = TYPESETTERS[style.typesetter](list(prepared.values()), style, Path(scratch))
        cases = [_case(prepared[name], style, pdf, folder) for name, pdf in made.items()]
    whole = [case for case in cases if case]
    done.write_text(json.dumps([case._asdict() for case in whole], indent=1))
    say(f"    {style.name}: {len(whole)} cases; {len(sources) - len(whole)} could not be set or are not wholly on their pages")
    return whole


def prepared_for(source: Source, style: Style) -> Source:
    """Return a source as a style sets it: no longer than some pages of it, its headings dressed; drawn ones are whole."""
    body = source.body if source.package.startswith("drawn-") else shorten(source.body, PAGES * style.capacity())
    return source._replace(body=dress_headings(body, style))


def _case(source: Source, style: Style, pdf: Path, folder: Path) -> Case | None:
    """Put a typeset source and its truth into the folder, if all of it is on the pages."""
    import pymupdf

    truth = truth_of(source.body)
    if not is_whole(pdf, unescape(re.sub("<[^<>]*>", " ", truth))):
        return None
    name = f"{source.name}--{style.name}"
    with pymupdf.open(pdf) as document:
        pages = document.page_count
    shutil.move(pdf, folder / "pdf" / f"{name}.pdf")
    (folder / "truth" / f"{name}.md").write_text(truth, encoding="utf-8")
    return Case(name, source.package, source.kind, source.language, style.typesetter, style.name, pages)
