"""Formats that Pagemill reads by a program or package that is not installed here."""

from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec

from schemas.media_types import CONVERTED, HEIC
from tasks.parse.office.io.libreoffice import find_libreoffice


@cache
def find_missing_readers() -> Mapping[str, str]:
    """Return what is missing to read a format, by media type; looked for once in a process."""
    missing = {} if find_libreoffice() else dict.fromkeys(CONVERTED, "LibreOffice")
    return missing if find_spec("pillow_heif") else {**missing, HEIC: "pillow-heif"}
