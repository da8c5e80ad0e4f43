"""The text of a line in HTML: words, pictures and formulas, until a block starts or ends."""

import base64
import binascii
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote_to_bytes

from tasks.parse.elements.flow_document import FlowBlock, tidy
from tasks.parse.pdf.annotations import CHECKED, UNCHECKED
from tasks.parse.raised import with_fractions
from tasks.parse.web.events import Events
from tasks.parse.web.marks import with_readings
from tasks.parse.web.mathml import unstyled

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_DATA = re.compile(r"\s*data:image/(?!svg)[\w.+-]+((?:;[\w=.+-]+)*),(.*)", re.DOTALL | re.IGNORECASE)
_UNSEEN_FIELDS = ("hidden", "password", "image", "file", "search", "color", "range")
_PARTING = frozenset("p div li ul ol br tr td th h1 h2 h3 h4 h5 h6".split())
_COLLAPSIBLE = re.compile(r"[ \t\n\r\f]{2,}|[\t\n\r\f]")
"""White space that is not one space already: most of it is."""


class InlineText(NamedTuple):
    """Text. `hard` marks a line break of the author."""

    text: str
    hard: bool = False


class InlinePicture(NamedTuple):
    """A picture: its alternative text, and its bytes if the page contains them."""

    text: str
    picture: bytes | None = None


class InlineFormula(NamedTuple):
    """An equation, as text."""

    text: str


class InlineReading(NamedTuple):
    """How a word that stands before it is read: ruby."""

    text: str
    word: str


InlineItem = InlineText | InlinePicture | InlineFormula | InlineReading


def inline_text(text: str) -> InlineText:
    """Return a text node as browsers show it outside `pre`: any ASCII white space is one space."""
    return InlineText(_COLLAPSIBLE.sub(" ", text))


def with_lines(text: str) -> InlineText:
    """Return a text node whose line breaks stay, as a style asks."""
    return InlineText(text.replace("\r\n", "\n").replace("\r", "\n"))


def inline_picture(node: "LexborNode") -> InlinePicture:
    """Return an `img`, or an `svg` with the words drawn in it."""
    attributes = node.attributes
    if node.tag == "img":
        return InlinePicture(unstyled(tidy(attributes.get("alt") or "").replace("\n", " ")), data_of(attributes.get("src") or ""))
    label = attributes.get("aria-label") or ""
    words = [label, *_drawn_words(node)] if label else _drawn_words(node)
    return InlinePicture(" ".join(tidy(word).replace("\n", " ") for word in words))


def _drawn_words(node: "LexborNode") -> list[str]:
    """Return the texts in an SVG drawing, one for each of its text elements and pieces of HTML."""
    words: list[str] = []
    inside = 0
    for kind, tag, inner in Events(node, with_root=False):
        if tag in ("text", "title", "desc", "foreignObject"):
            inside += {"open": 1, "close": -1}.get(kind, 0)
            words += [""] if kind == "open" else []
        elif tag in _PARTING and inside:
            words[-1] += " "
        elif kind == "text" and inside:
            words[-1] += inner.text_content or ""
    return [word for word in words if word.strip()]


def is_mark(link: "LexborNode") -> bool:
    """Return whether a link within the page is only a mark, such as the sign after a heading that links to the heading."""
    if not (link.attributes.get("href") or "").startswith("#"):
        return False
    text = link.text()
    return bool(text.strip()) and not any(map(str.isalnum, text))


def field_value(field: "LexborNode") -> str:
    """Return what a field of a form shows: its value, what is chosen of a list, whether a box is checked; "" for a secret."""
    attributes = field.attributes
    kind = (attributes.get("type") or "text").strip().lower()
    if field.tag == "select":
        options = field.css("option")
        chosen = [option for option in options if "selected" in option.attributes] or options[: "multiple" not in attributes]
        return ", ".join(" ".join(option.text().split()) for option in chosen)
    if kind in ("checkbox", "radio"):
        return CHECKED if "checked" in attributes else UNCHECKED
    return "" if kind in _UNSEEN_FIELDS else attributes.get("value") or ""


def data_of(url: str) -> bytes | None:
    """Return the bytes of a picture in a data URL, None for any other URL.

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


def blocks_of(items: Sequence[InlineItem], kind: str, level: int | None, marker: str) -> Iterator[FlowBlock]:
    """Yield the blocks of one run of text.

    Pictures alone are figures, and formulas alone are an equation. Among words they become words, and the pictures follow as
    figures.
    """
    kinds = set(map(type, items))
    has_words = InlineText in kinds and any(isinstance(item, InlineText) and item.text.strip() for item in items)
    formulas = [item for item in items if isinstance(item, InlineFormula)] if InlineFormula in kinds else []
    pictures = [item for item in items if isinstance(item, InlinePicture)] if InlinePicture in kinds else []
    plain = kind in ("paragraph", "list_item")
    if not has_words and plain and formulas and not pictures:
        yield FlowBlock("equation", tidy(" ".join(item.text for item in formulas)))
    elif has_words or not plain or formulas:
        text = with_fractions(tidy("".join(_shown(item) for item in items)))
        if InlineReading in kinds:
            text = with_readings(text, {item.word: item.text for item in items if isinstance(item, InlineReading)})
        if text:
            yield FlowBlock(kind, marker + text, level)
        yield from (FlowBlock("figure", "", picture=item.picture) for item in pictures if item.picture)
    else:
        yield from (FlowBlock("figure", item.text, picture=item.picture) for item in pictures if item.text or item.picture)


def _shown(item: InlineItem) -> str:
    if isinstance(item, InlineText):
        return "\n" if item.hard else item.text
    if isinstance(item, InlineReading):
        return ""
    return f" {item.text} " if isinstance(item, InlinePicture) and item.text else item.text
