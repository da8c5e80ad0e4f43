"""Formats that Pagemill reads by a program or package that is not installed here."""

from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec

from schemas.media_types import CONVERTED, HEIC
from tasks.parse.office.io.libreoffice import find_libreoffice
from tasks.workers.confinement import can_limit_files


@cache
def find_missing_readers() -> Mapping[str, str]:
    """Return what is missing to read a format, by media type; looked for once in a process."""
    missing = {} if find_libreoffice() and can_limit_files() else dict.fromkeys(CONVERTED, "LibreOffice")
    return missing if find_spec("pillow_heif") else {**missing, HEIC: "pillow-heif"}
