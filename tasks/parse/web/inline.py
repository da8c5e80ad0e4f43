"""The text of a line in HTML: words, pictures and formulas, until a block begins or ends."""

import base64
import binascii
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple
from urllib.parse import unquote_to_bytes

from tasks.parse.elements.from_blocks import Block, tidy
from tasks.parse.web.events import Events

_DATA = re.compile(r"\s*data:image/(?!svg)[\w.+-]+((?:;[\w=.+-]+)*),(.*)", re.DOTALL | re.IGNORECASE)
_COLLAPSIBLE = re.compile(r"[ \t\n\r\f]+")


class Word(NamedTuple):
    """Text; `hard` marks a line end that the author set."""

    text: str
    hard: bool = False


class Sight(NamedTuple):
    """A picture: what stands for it, and its bytes if the page holds them."""

    text: str
    picture: bytes | None = None


class Formula(NamedTuple):
    """An equation, as text."""

    text: str


Piece = Word | Sight | Formula


def word(text: str) -> Word:
    """Return a text node as browsers show it outside `pre`: any white space of ASCII is one space."""
    return Word(_COLLAPSIBLE.sub(" ", text))


def sight(node: Any) -> Sight:
    """Return an `img`, or an `svg` with the words that are drawn in it."""
    attributes = node.attributes
    if node.tag == "img":
        return Sight(tidy(attributes.get("alt") or "").replace("\n", " "), data_of(attributes.get("src") or ""))
    label = attributes.get("aria-label") or ""
    words = [label, *_drawn_words(node)] if label else _drawn_words(node)
    return Sight(" ".join(tidy(word).replace("\n", " ") for word in words))


def _drawn_words(node: Any) -> list[str]:
    """Return the texts in an SVG drawing, one for each of its text elements."""
    words: list[str] = []
    inside = 0
    for kind, tag, inner in Events(node, with_root=False):
        if tag in ("text", "title", "desc"):
            inside += {"open": 1, "close": -1}.get(kind, 0)
            words += [""] if kind == "open" else []
        elif kind == "text" and inside:
            words[-1] += inner.text_content or ""
    return [word for word in words if word.strip()]


def is_mark(link: Any) -> bool:
    """Tell whether a link within the page is a mere mark, such as the sign behind a heading that links to the heading."""
    if not (link.attributes.get("href") or "").startswith("#"):
        return False
    text = link.text()
    return bool(text.strip()) and not any(map(str.isalnum, text))


def data_of(url: str) -> bytes | None:
    """Return the bytes of a picture that stands in its URL itself.

    >>> data_of("data:image/png;base64,aGk="), data_of("logo.png")
    (b'hi', None)
    """
    found = _DATA.match(url)
    if not found:
        return None
    if not found[1].lower().endswith(";base64"):
        return unquote_to_bytes(found[2])
    try:
        return base64.b64decode(unquote_to_bytes(found[2]))
    except (binascii.Error, ValueError):
        return b"\0"


def blocks_of(pieces: Sequence[Piece], kind: str, level: int | None, marker: str) -> Iterator[Block]:
    """Yield what one run of text makes.

    Pictures alone are figures, a formula alone is an equation; among words they are words, and the pictures follow as figures.
    """
    has_words = any(isinstance(piece, Word) and piece.text.strip() for piece in pieces)
    formulas = [piece for piece in pieces if isinstance(piece, Formula)]
    sights = [piece for piece in pieces if isinstance(piece, Sight)]
    plain = kind in ("paragraph", "list_item")
    if not has_words and plain and formulas and not sights:
        yield Block("equation", tidy(" ".join(piece.text for piece in formulas)))
    elif has_words or not plain or formulas:
        text = tidy("".join(_shown(piece) for piece in pieces))
        if text:
            yield Block(kind, marker + text, level)
        yield from (Block("figure", "", picture=piece.picture) for piece in sights if piece.picture)
    else:
        yield from (Block("figure", piece.text, picture=piece.picture) for piece in sights if piece.text or piece.picture)


def _shown(piece: Piece) -> str:
    if isinstance(piece, Word):
        return "\n" if piece.hard else piece.text
    return f" {piece.text} " if isinstance(piece, Sight) and piece.text else piece.text
