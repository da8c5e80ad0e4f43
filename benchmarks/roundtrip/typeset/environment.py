"""What the typesetters stand on: a virtual environment with those of PyPI, and fonts, both in the benchmarks' cache."""

import os
from functools import cache
from html import escape
from pathlib import Path

from benchmarks.debian import unpack_package
from benchmarks.parsing.peers import environment
from benchmarks.report import cache_folder

REQUIREMENTS = {
    "weasyprint": ["weasyprint==70.0"],
    "typst": ["typst==0.15.2"],
    "docutils": ["docutils==0.23"],
}
FONTS = (
    "fonts-liberation",
    "fonts-dejavu-core",
    "fonts-dejavu-extra",
    "fonts-noto-core",
    "fonts-noto-cjk",
    "fonts-ebgaramond",
    "fonts-lato",
    "fonts-crosextra-carlito",
)
"""Packages of Debian whose fonts the pages are set in, the same on every machine."""


@cache
def python() -> str:
    """Return the Python that has the typesetters of PyPI, made by the first call.

    Raises:
        SystemExit: one of them cannot be installed.
    """
    made = environment(cache_folder(), "typesetters", REQUIREMENTS)
    missing = REQUIREMENTS.keys() - set(made.names)
    if missing:
        raise SystemExit(f"{', '.join(sorted(missing))} cannot be installed: is PyPI reached?")
    return made.python


@cache
def surroundings() -> dict[str, str]:
    """Return the environment in which a typesetter is run: fontconfig finds the fonts of FONTS, and no others."""
    folders = "".join(f"<dir>{escape(str(folder))}</dir>" for folder in font_folders())
    cached = cache_folder() / "fontconfig"
    config = cache_folder() / "fonts.conf"
    head = '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">'
    config.write_text(f"{head}<fontconfig>{folders}<cachedir>{escape(str(cached))}</cachedir></fontconfig>")
    return {**os.environ, "FONTCONFIG_FILE": str(config)}


def font_folders() -> list[Path]:
    """Return the folders of the fonts, fetched by the first call."""
    return [unpack_package(name) / "usr/share/fonts" for name in FONTS]
