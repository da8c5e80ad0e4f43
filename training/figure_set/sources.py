"""Sources: the packages of Debian that figures are drawn with, and the licences of what is taken from them."""

from collections.abc import Iterable
from typing import NamedTuple


class Source(NamedTuple):
    """Packages, apart by spaces, what their files are used for, and the licence that these have in Debian 12."""

    packages: str
    use: str
    licence: str


PICTURES = (
    Source("tuxpaint-stamps-default", "photographs, symbols", "GPL-2+"),
    Source("gnome-backgrounds", "photographs", "CC-BY-SA-3.0, GPL-2+"),
    Source("mate-backgrounds", "photographs", "GPL-2+, CC-BY-SA-4.0"),
    Source("python3-skimage", "photographs", "BSD-3-Clause; most pictures CC0 or public domain by notes of their own"),
    Source("openclipart-png", "clip art, signs", "public domain"),
    Source("kgeography-data", "maps, flags", "GPL-2+"),
    Source("gimp-help-en", "screenshots", "GFDL-1.2+ without invariant sections (as `gimp-help-common` says)"),
)
FONTS = (
    Source(
        "fonts-comic-neue fonts-crosextra-carlito fonts-dancingscript fonts-ecolier-court fonts-gfs-artemisia fonts-humor-sans "
        "fonts-joscelyn fonts-jura fonts-kristi fonts-lato fonts-play fonts-tomsontalks",
        "fonts",
        "OFL-1.1",
    ),
    Source("fonts-breip fonts-inconsolata", "fonts", "OFL-1.0"),
    Source("fonts-open-sans fonts-roboto-unhinted", "fonts", "Apache-2.0"),
    Source("fonts-freefont-ttf fonts-rufscript", "fonts", "GPL-3+ with font exception"),
    Source("fonts-dkg-handwriting", "font", "GPL-3+, OFL-1.1"),
    Source("fonts-femkeklaver", "font", "CC-BY-SA-3.0"),
)
INSTALLED = (
    Source("fonts-liberation", "fonts", "GPL-2 with font exception"),
    Source("fonts-dejavu", "fonts", "Bitstream Vera's, public domain"),
)
"""Fonts that the machine has: matplotlib finds no others."""


def packages(sources: Iterable[Source]) -> list[str]:
    """Return the names of the packages."""
    return [name for source in sources for name in source.packages.split()]


def table(sources: Iterable[Source]) -> str:
    """Return a table of packages, use and licence, as Markdown."""
    rows = (
        f"| {', '.join(f'`{name}`' for name in source.packages.split())} | {source.use} | {source.licence} |"
        for source in sources
    )
    return "\n".join(["| packages | what for | licence |", "|---|---|---|", *rows])
