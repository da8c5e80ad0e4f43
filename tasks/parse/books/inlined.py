"""Pictures of a page, put into the page itself, as the reader of HTML takes them."""

import base64
import html
import posixpath
import re
from collections.abc import Callable, Iterable
from typing import NamedTuple
from urllib.parse import unquote

from schemas.ids import normal_path
from schemas.references import PagePicture

_PICTURE = re.compile(
    rb"""(<(?:img|image)\b(?:[^<>]|<(?!im))*?\s(?:src|xlink:href|href)\s*=\s*)(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE
)
_SVG_IMAGE = re.compile(rb"<image\b((?:[^<>]|<(?!im))*?)\s(?:xlink:)?href\s*=", re.IGNORECASE)
MAX_BYTES = 20 * 2**20
"""Most bytes of a picture that is put into a page."""
MOST_PICTURES, MOST_BYTES = 500, 64 * 2**20
"""Most pictures that are read from beside a page, and their bytes together."""
_ELSEWHERE = re.compile(r"[A-Za-z][\w+.-]*:|/|\\")


class PictureFile(NamedTuple):
    """A picture of a source: its path there, its size in bytes and its digest."""

    path: str
    size: int
    sha256: str


Find = Callable[[str], PictureFile | None]
"""Gives the picture at a path of a source, in normal form, if there is one."""


def with_pictures(page: bytes, find: Callable[[str], bytes | None]) -> bytes:
    """Return a page whose pictures are in it, of those that `find` gives by their addresses."""

    def inline(found: re.Match[bytes]) -> bytes:
        address = _get_address(found)
        picture = None if address.startswith("data:") else find(address)
        if not picture or len(picture) > MAX_BYTES:
            return found[0]
        return found[1] + b'"data:image/png;base64,' + base64.b64encode(picture) + b'"'

    return _PICTURE.sub(inline, _SVG_IMAGE.sub(rb"<img\1 src=", page))


def list_relative_addresses(page: bytes) -> list[str]:
    """Return the addresses of the pictures that a page may show from beside itself, each once, in their order.

    >>> list_relative_addresses(b'<img src="News_files/a%20b.png"><img src="https://b.example/c.png"><img src="/d.png">')
    ['News_files/a%20b.png']
    """
    found = dict.fromkeys(map(_get_address, _PICTURE.finditer(_SVG_IMAGE.sub(rb"<img\1 src=", page))))
    return [address for address in found if address and "\n" not in address and not _ELSEWHERE.match(address)]


def choose_pictures(page: str, addresses: Iterable[str], find: Find) -> tuple[tuple[PagePicture, ...], int]:
    """Return those pictures that lie beside the page at a path of a source, and how many are left out because of their sizes."""
    chosen: list[PagePicture] = []
    n_left_out = total = 0
    for address in addresses:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page), unquote(re.split("[?#]", address)[0])))
        found = find(normal_path(path))
        if found is None:
            continue
        if found.size > MAX_BYTES or total + found.size > MOST_BYTES or len(chosen) == MOST_PICTURES:
            n_left_out += 1
        else:
            total += found.size
            chosen.append(PagePicture(address, found.path, found.sha256))
    return tuple(chosen), n_left_out


def _get_address(found: re.Match[bytes]) -> str:
    return html.unescape((found[2] or found[3] or b"").decode("utf-8", "replace"))
