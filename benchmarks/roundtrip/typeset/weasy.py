"""WeasyPrint, of PyPI: HTML and CSS by a typesetter written for print."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

from benchmarks.report import say
from benchmarks.roundtrip.source import Source
from benchmarks.roundtrip.styles import Style
from benchmarks.roundtrip.typeset.css import page_of
from benchmarks.roundtrip.typeset.environment import python, surroundings

SCRIPT = Path(__file__).with_name("weasy_pages.py")


def typeset(sources: Sequence[Source], style: Style, folder: Path) -> dict[str, Path]:
    """Set the sources as PDFs in `folder`; return them by name, without those that cannot be set, which are said."""
    work = []
    for source in sources:
        page = folder / f"{source.name}.html"
        page.write_text(page_of(source, style), encoding="utf-8")
        work.append((str(page), str(folder / f"{source.name}.pdf")))
    command = [python(), "-P", str(SCRIPT)]
    run = subprocess.run(command, input=json.dumps(work), capture_output=True, text=True, check=True, env=surroundings())
    told = dict(zip((source.name for source in sources), json.loads(run.stdout), strict=True))
    for name, error in told.items():
        if error:
            say(f"  {style.name} cannot set {name}: {error}")
    return {name: folder / f"{name}.pdf" for name, error in told.items() if not error}
