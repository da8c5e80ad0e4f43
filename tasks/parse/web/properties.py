"""The properties that an HTML page states."""

import json
import re
from collections.abc import Iterable
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from schemas.records import Properties
from tasks.parse.elements.flow_document import one_line

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

_NAMES = {
    "author": ("author", "dc.creator", "dcterms.creator", "citation_author", "article:author"),
    "created": (
        "article:published_time", "date", "dcterms.created", "dc.date.created", "dc.date", "dcterms.date", "dcterms.issued",
        "citation_publication_date", "created", "datepublished",
    ),
    "modified": ("article:modified_time", "dcterms.modified", "dc.date.modified", "last-modified", "modified", "datemodified"),
}  # fmt: skip
"""Names of meta elements for each property. The first one on a page is used."""
_EXTRA = {"description": "description", "og:description": "description", "keywords": "keywords", "generator": "generator"}
_DATE = re.compile(r"(\d{4})(?:[-/](\d\d?)(?:[-/](\d\d?))?)?(?:[T ]\d.*)?")


def page_properties(page: "LexborHTMLParser") -> Properties:
    """Return the properties of a parsed page: title, author, dates and language; description and keywords as extra."""
    metas = _metas(page)
    title = page.head.css_first("title") if page.head is not None else None
    html = page.root.attributes if page.root is not None else {}
    language = html.get("lang") or html.get("xml:lang") or next(iter(metas.get("content-language", ())), None)
    extra: dict[str, str] = {}
    for name, values in metas.items():
        if name in _EXTRA:
            extra.setdefault(_EXTRA[name], values[0])
    found = {name: _first(metas, names) for name, names in _NAMES.items()}
    return {
        "title": (one_line(title.text()) if title is not None else "")
        or one_line(next(iter(metas.get("og:title", ())), ""))
        or None,
        "author": ", ".join(dict.fromkeys(found["author"])) or None,
        "created": next((day for value in found["created"] if (day := iso_date(value))), None),
        "modified": next((day for value in found["modified"] if (day := iso_date(value))), None),
        "language": one_line(language or "") or None,
        "extra": json.dumps(extra, ensure_ascii=False, sort_keys=True),
    }


def _metas(page: "LexborHTMLParser") -> dict[str, list[str]]:
    metas: dict[str, list[str]] = {}
    for node in page.css("meta"):
        attributes = node.attributes
        name = attributes.get("name") or attributes.get("property") or attributes.get("http-equiv") or ""
        content = one_line(attributes.get("content") or "")
        if content:
            metas.setdefault(name.strip().lower(), []).append(content)
    return metas


def _first(metas: dict[str, list[str]], names: Iterable[str]) -> list[str]:
    return next((metas[name] for name in names if name in metas), [])


def iso_date(value: str) -> str | None:
    """Return a date of a page or of a message header in ISO 8601, as precise as it is; None if it is not a date.

    >>> iso_date("2024/3/1"), iso_date("Fri, 01 Mar 2024 12:00:00 GMT"), iso_date("soon")
    ('2024-03-01', '2024-03-01T12:00:00+00:00', None)
    """
    value = value.strip()
    try:
        return datetime.fromisoformat(value).isoformat() if "T" in value else _day(value)
    except ValueError:
        return _day(value)


def _day(value: str) -> str | None:
    if found := _DATE.fullmatch(value):
        return "-".join(part.zfill(2) for part in found.groups() if part)
    try:
        return parsedate_to_datetime(value).isoformat()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
