"""LaTeX: sources set by XeLaTeX of Debian's TeX Live, which reads Unicode and the fonts of the styles."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from benchmarks.report import say
from benchmarks.roundtrip.markup.latex_markup import SETTERS, document, escape
from benchmarks.roundtrip.markup.latex_sections import ARRANGEMENTS
from benchmarks.roundtrip.markup.look import look_of
from benchmarks.roundtrip.markup.walk import Language, Markup
from benchmarks.roundtrip.source import Source
from benchmarks.roundtrip.styles import Style
from benchmarks.roundtrip.typeset.environment import surroundings

PACKAGES = "texlive-xetex texlive-latex-recommended texlive-latex-extra texlive-fonts-recommended lmodern"
LATEX = Language(escape, SETTERS, ARRANGEMENTS)
UNABLE = ("ar", "fa", "he", "ur")
"""Languages written from right to left need packages of their own, which order words otherwise."""


def typeset(sources: Sequence[Source], style: Style, folder: Path) -> dict[str, Path]:
    """Set sources in a style, as `<name>.pdf` in `folder`; return those that could be set. The others are said."""
    if shutil.which("xelatex") is None:
        say(f"  {style.name} is left out: it needs XeLaTeX (apt-get install --no-install-recommends {PACKAGES})")
        return {}
    folder.mkdir(parents=True, exist_ok=True)
    made = {}
    for source in sources:
        trouble = _trouble(source, style, folder)
        if trouble:
            say(f"  {style.name} leaves out {source.name}: {trouble}")
        else:
            made[source.name] = folder / f"{source.name}.pdf"
    return made


def _trouble(source: Source, style: Style, folder: Path) -> str:
    """Set a source; return what is wrong, or nothing."""
    if source.language.split("-")[0] in UNABLE:
        return "LaTeX is not told to write from right to left"
    try:
        markup = Markup(source.name, source.body, look_of(style), LATEX)
    except ValueError as error:
        return str(error)
    (folder / f"{source.name}.tex").write_text(document(markup, source), encoding="utf-8")
    for name, drawing in markup.kept.items():
        (folder / name).write_bytes(_as_pdf(drawing))
    command = ["xelatex", "-interaction=batchmode", "-halt-on-error", "-no-shell-escape", f"{source.name}.tex"]
    run = subprocess.run(command, cwd=folder, capture_output=True, check=False, env=surroundings())
    log = (folder / f"{source.name}.log").read_text(encoding="utf-8", errors="replace").splitlines()
    if run.returncode:
        return next((line for line in log if line.startswith("!")), "XeLaTeX failed")
    return next((line for line in log if line.startswith("Missing character")), "")


def _as_pdf(drawing: str) -> bytes:
    import pymupdf

    with pymupdf.open(stream=drawing.encode(), filetype="svg") as image:
        made: bytes = image.convert_to_pdf()
    return made
