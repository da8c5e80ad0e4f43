"""LibreOffice: converts documents of old formats to those of today, with a profile of its own, within the worker's limits."""

import os
import shutil
import subprocess
import tempfile
from functools import partial
from pathlib import Path

from schemas import media_types
from schemas.errors import DocumentError
from tasks.parse.rejections import blank, refusal
from tasks.workers.confinement import MAY_ALL, MAY_MAKE_SOCKETS, MAY_READ, limit_files

INSTALL = "apt-get install --no-install-recommends libreoffice-writer-nogui libreoffice-impress-nogui"
_SUFFIXES = {media_types.DOC: (".doc", "docx"), media_types.RTF: (".rtf", "docx"), media_types.PPT: (".ppt", "pptx")}
_REMEDY = "open it in an office program and save it as .docx, .pptx or PDF, or exclude it"
FILES = {
    **dict.fromkeys(("/usr", "/bin", "/lib", "/lib64", "/etc", "/var/lib/libreoffice", "/var/spool/libreoffice"), MAY_READ),
    **dict.fromkeys(("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"), MAY_ALL),
    **dict.fromkeys(("/tmp", "/var/tmp"), MAY_MAKE_SOCKETS),
}
"""What LibreOffice may do with files besides its own and those of the conversion. A document can name any other as a picture of
its own, which it would put into what it makes."""
SECONDS = 300
"""Longest time of a conversion. The worker's limits of CPU time and memory count LibreOffice too."""


def find_libreoffice() -> str | None:
    """Return the path of LibreOffice's program, None if it is not installed."""
    return shutil.which("soffice") or shutil.which("libreoffice")


def convert_to_open_xml(data: bytes, media_type: str) -> bytes:
    """Return a document of a format of `media_types.CONVERTED` as DOCX or PPTX. Macros are not run.

    Raises:
        DocumentError: LibreOffice is not installed, cannot be kept from other files, or cannot convert the document.
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
                command,
                capture_output=True,
                timeout=SECONDS,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                check=False,
                env={**os.environ, "HOME": folder, "TMPDIR": folder, "XDG_CACHE_HOME": folder, "XDG_RUNTIME_DIR": folder},
                preexec_fn=partial(limit_files, {str(Path(program).resolve().parents[1]): MAY_READ, **FILES, folder: MAY_ALL}),
            )
        except subprocess.TimeoutExpired as error:
            raise refusal(DocumentError, f"LibreOffice did not convert the file within {SECONDS} seconds", _REMEDY) from error
        except subprocess.SubprocessError as error:
            message = "the kernel cannot keep LibreOffice from other files, which a document could have it read (Landlock)"
            raise refusal(DocumentError, message, "save the file as .docx or .pptx, or take a kernel with Landlock") from error
        converted = source.with_suffix(f".{target}")
        if not converted.exists():
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()
            why = f": {said[-1][:200]}" if said else ", which may be damaged or open only with a password"
            raise refusal(DocumentError, f"LibreOffice cannot convert the file{why}", _REMEDY)
        return converted.read_bytes()
