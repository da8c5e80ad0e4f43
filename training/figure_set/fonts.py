"""Fonts for drawn figures: those that the machine has, told apart by what they look like."""

from functools import cache
from pathlib import Path

from PIL import ImageFont

from training.figure_set.words import Generator, chance, pick

FOLDERS = ["/usr/share/fonts"]
SCRIPTS = ("comic", "femke", "breip", "dkg", "kristi", "rufscript", "tomson", "joscelyn", "ecolier", "dancing", "humor")
"""Parts of the names of fonts that look written by hand."""


@cache
def _files(folders: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    found = [str(file) for folder in folders for file in sorted(Path(folder).rglob("*.[to]tf"))]
    written = [file for file in found if any(name in file.lower() for name in SCRIPTS)]
    return tuple(file for file in found if file not in written and "Math" not in file), tuple(written)


@cache
def _load(file: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(file, size)


def use(folder: str) -> None:
    """Draw with the fonts in `usr/share/fonts` below a folder too."""
    place = str(Path(folder) / "usr/share/fonts")
    if place not in FOLDERS:
        FOLDERS.insert(0, place)


def font(rng: Generator, size: int) -> ImageFont.FreeTypeFont:
    """Return a printed font of `size` pixels, most often a plain one."""
    files = _files(tuple(FOLDERS))[0]
    plain = [file for file in files if "LiberationSans-" in file or "DejaVuSans." in file or "Lato-Regular" in file]
    return _load(pick(rng, plain if chance(rng, 0.6) else list(files)), max(6, size))


def script(rng: Generator, size: int) -> ImageFont.FreeTypeFont:
    """Return a font of `size` pixels that looks written by hand; an italic one if there is none, else any."""
    printed, written = _files(tuple(FOLDERS))
    return _load(pick(rng, list(written) or [file for file in printed if "Italic" in file] or list(printed)), max(6, size))
