"""Pictures of a page, put into the page itself, as the reader of HTML takes them."""

import base64
import html
import re
from collections.abc import Callable

_PICTURE = re.compile(rb"""(<(?:img|image)\b[^>]*?\s(?:src|xlink:href|href)\s*=\s*)(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
_SVG_IMAGE = re.compile(rb"<image\b([^>]*?)\s(?:xlink:)?href\s*=", re.IGNORECASE)
MAX_BYTES = 20 * 2**20
"""Most bytes of a picture that is put into a page."""


def with_pictures(page: bytes, find: Callable[[str], bytes | None]) -> bytes:
    """Return a page whose pictures are in it, of those that `find` gives by their addresses."""

    def inline(found: re.Match[bytes]) -> bytes:
        address = html.unescape((found[2] or found[3] or b"").decode("utf-8", "replace"))
        picture = None if address.startswith("data:") else find(address)
        if not picture or len(picture) > MAX_BYTES:
            return found[0]
        return found[1] + b'"data:image/png;base64,' + base64.b64encode(picture) + b'"'

    return _PICTURE.sub(inline, _SVG_IMAGE.sub(rb"<img\1 src=", page))
