"""LibreOffice: sources written as flat OpenDocument texts and exported as PDF."""

import json
import shutil
import subprocess
from collections.abc import Sequence
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.report import say
from benchmarks.roundtrip.markup.look import look_of
from benchmarks.roundtrip.markup.office_markup import SETTERS
from benchmarks.roundtrip.markup.office_sections import ARRANGEMENTS
from benchmarks.roundtrip.markup.office_styles import document
from benchmarks.roundtrip.markup.walk import Language, Markup
from benchmarks.roundtrip.source import Source
from benchmarks.roundtrip.styles import Style
from benchmarks.roundtrip.typeset.environment import surroundings

PACKAGE = "libreoffice-writer-nogui"
OFFICE = Language(escape, SETTERS, ARRANGEMENTS)
PLAIN = {name: {"type": "boolean", "value": "false"} for name in ("UseTaggedPDF", "ExportBookmarks")}
"""Without tags and outlines, which say what is a heading."""


def typeset(sources: Sequence[Source], style: Style, folder: Path) -> dict[str, Path]:
    """Set sources in a style, as `<name>.pdf` in `folder`; return those that could be set. The others are said."""
    if shutil.which("soffice") is None:
        say(f"  {style.name} is left out: it needs LibreOffice (apt-get install --no-install-recommends {PACKAGE})")
        return {}
    folder.mkdir(parents=True, exist_ok=True)
    written = [source for source in sources if _write(source, style, folder)]
    paths = [str(folder / f"{source.name}.fodt") for source in written]
    export = f"pdf:writer_pdf_Export:{json.dumps(PLAIN)}"
    with TemporaryDirectory() as profile:
        command = [
            "soffice",
            "--headless",
            f"-env:UserInstallation=file://{profile}",
            "--convert-to",
            export,
            "--outdir",
            str(folder),
        ]
        subprocess.run([*command, *paths], capture_output=True, check=True, env=surroundings())
    made = {source.name: folder / f"{source.name}.pdf" for source in written}
    for name in (name for name, pdf in made.items() if not pdf.exists()):
        say(f"  {style.name} leaves out {name}: LibreOffice cannot set it")
    return {name: pdf for name, pdf in made.items() if pdf.exists()}


def _write(source: Source, style: Style, folder: Path) -> bool:
    try:
        markup = Markup(source.name, source.body, look_of(style), OFFICE)
    except ValueError as error:
        say(f"  {style.name} leaves out {source.name}: {error}")
        return False
    (folder / f"{source.name}.fodt").write_text(document(markup, source), encoding="utf-8")
    return True
