"""Chromium's print, of Debian: HTML and CSS by a browser."""

import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.report import say
from benchmarks.roundtrip.source import Source
from benchmarks.roundtrip.styles import Style
from benchmarks.roundtrip.typeset.css import page_of
from benchmarks.roundtrip.typeset.environment import surroundings

OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-extensions",
    "--no-pdf-header-footer",
    "--disable-dev-shm-usage",
)
SECONDS = 60


def typeset(sources: Sequence[Source], style: Style, folder: Path) -> dict[str, Path]:
    """Set the sources as PDFs in `folder`; return them by name, without those that cannot be set, which are said."""
    browser = shutil.which("chromium")
    if not browser:
        say("  Chromium's styles are left out: apt-get install chromium")
        return {}
    made = {}
    with tempfile.TemporaryDirectory() as profile:
        for source in sources:
            page, pdf = folder / f"{source.name}.html", folder / f"{source.name}.pdf"
            page.write_text(page_of(source, style), encoding="utf-8")
            command = [browser, *OPTIONS, f"--user-data-dir={profile}", f"--print-to-pdf={pdf}", page.as_uri()]
            told = subprocess.run(command, capture_output=True, text=True, check=False, env=surroundings(), timeout=SECONDS)
            if pdf.exists():
                made[source.name] = pdf
            else:
                say(f"  {style.name} cannot set {source.name}: {told.stderr.strip()[-200:]}")
    return made
