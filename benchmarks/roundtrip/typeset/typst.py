"""Typst: sources set by the package `typst` of PyPI."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

from benchmarks.report import say
from benchmarks.roundtrip.markup.look import look_of
from benchmarks.roundtrip.markup.typst_markup import SETTERS, document, escape
from benchmarks.roundtrip.markup.typst_sections import ARRANGEMENTS
from benchmarks.roundtrip.markup.walk import Language, Markup
from benchmarks.roundtrip.source import Source
from benchmarks.roundtrip.styles import Style
from benchmarks.roundtrip.typeset.environment import font_folders, python

TYPST = Language(escape, SETTERS, ARRANGEMENTS)
COMPILE = """
import json, sys, typst
failed = {}
work = json.load(sys.stdin)
for path in work["paths"]:
    try:
        typst.compile(path, output=path[:-3] + "pdf", font_paths=work["fonts"], ignore_system_fonts=True, pdf_tags=False)
    except typst.TypstError as error:
        failed[path] = str(error)
json.dump(failed, sys.stdout)
"""


def typeset(sources: Sequence[Source], style: Style, folder: Path) -> dict[str, Path]:
    """Set sources in a style, as `<name>.pdf` in `folder`; return those that could be set. The others are said.

    Raises:
        subprocess.CalledProcessError: Typst died.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = [source for source in sources if _write(source, style, folder)]
    work = {"paths": [str(folder / f"{source.name}.typ") for source in written], "fonts": [str(path) for path in font_folders()]}
    run = subprocess.run([python(), "-P", "-c", COMPILE], input=json.dumps(work), capture_output=True, text=True, check=True)
    failed = {Path(path).stem: message for path, message in json.loads(run.stdout).items()}
    for name, message in failed.items():
        say(f"  {style.name} leaves out {name}: {message.splitlines()[0]}")
    return {source.name: folder / f"{source.name}.pdf" for source in written if source.name not in failed}


def _write(source: Source, style: Style, folder: Path) -> bool:
    try:
        markup = Markup(source.name, source.body, look_of(style), TYPST)
    except ValueError as error:
        say(f"  {style.name} leaves out {source.name}: {error}")
        return False
    (folder / f"{source.name}.typ").write_text(document(markup, source), encoding="utf-8")
    for name, drawing in markup.kept.items():
        (folder / name).write_text(drawing, encoding="utf-8")
    return True
