"""LibreOffice: converts documents of old formats to those of today, with a profile of its own, within the worker's limits."""

import shutil
import subprocess
import tempfile
from pathlib import Path

from schemas import media_types
from schemas.errors import DocumentError
from tasks.parse.rejections import blank, refusal

INSTALL = "apt-get install --no-install-recommends libreoffice-writer-nogui libreoffice-impress-nogui"
_SUFFIXES = {media_types.DOC: (".doc", "docx"), media_types.RTF: (".rtf", "docx"), media_types.PPT: (".ppt", "pptx")}
_REMEDY = "open it in an office program and save it as .docx, .pptx or PDF, or exclude it"
SECONDS = 300
"""Longest time of a conversion. The worker's limits of CPU time and memory count LibreOffice too."""


def find_libreoffice() -> str | None:
    """Return the path of LibreOffice's program, None if it is not installed."""
    return shutil.which("soffice") or shutil.which("libreoffice")


def convert_to_open_xml(data: bytes, media_type: str) -> bytes:
    """Return a document of a format of `media_types.CONVERTED` as DOCX or PPTX. Macros are not run.

    Raises:
        DocumentError: LibreOffice is not installed, or cannot convert the document.
    """
    if not data:
        raise blank(data)
    program = find_libreoffice()
    suffix, target = _SUFFIXES[media_type]
    if program is None:
        message = f"files of type {suffix} are read by LibreOffice, which is not installed"
        raise refusal(DocumentError, message, f"{INSTALL}; or save the file as .{target}, or exclude it")
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, f"document{suffix}")
        source.write_bytes(data)
        command = [
            program, f"-env:UserInstallation={Path(folder, 'profile').as_uri()}", "--headless", "--norestore", "--nolockcheck",
            "--convert-to", target, "--outdir", folder, str(source),
        ]  # fmt: skip
        try:
            done = subprocess.run(
                command, capture_output=True, timeout=SECONDS, cwd=folder, stdin=subprocess.DEVNULL, check=False
            )
        except subprocess.TimeoutExpired as error:
            raise refusal(DocumentError, f"LibreOffice did not convert the file within {SECONDS} seconds", _REMEDY) from error
        converted = source.with_suffix(f".{target}")
        if not converted.exists():
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()
            why = f": {said[-1][:200]}" if said else ", which may be damaged or open only with a password"
            raise refusal(DocumentError, f"LibreOffice cannot convert the file{why}", _REMEDY)
        return converted.read_bytes()
