"""Front matter: YAML between two lines of dashes at the start of a Markdown file."""

import datetime
import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import yaml

from tasks.parse.layout.prose import clean
from tasks.parse.rejections import entry
from tasks.parse.text.plain import PROPERTIES

_FRONT = re.compile(r"---[ \t]*(?:\r\n|\r|\n)(.*?)(?:(?<=\n)|(?<=\r))(?:---|\.\.\.)[ \t]*(?:\r\n|\r|\n|$)", re.DOTALL)
_NAMES = {
    "title": "title",
    "author": "author",
    "authors": "author",
    "date": "created",
    "created": "created",
    "modified": "modified",
    "updated": "modified",
    "lang": "language",
    "language": "language",
}


class FrontMatter(NamedTuple):
    """Where the front matter ends (0 without one), the properties in it, and why it could not be read."""

    end: int
    properties: dict[str, Any]
    rejects: list[dict[str, Any]]


def split_front_matter(text: str) -> FrontMatter:
    """Find the front matter of a Markdown text. If it is not a YAML mapping, or uses aliases, it is reported and not read."""
    found = _FRONT.match(text)
    if not found:
        return FrontMatter(0, PROPERTIES, [])
    try:
        return FrontMatter(found.end(), properties_of(_mapping(found[1])), [])
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        message = f"the front matter cannot be read: {clean(' '.join(str(error).split()))[:300]}"
        reject = entry("parse", "DocumentError", message, "make it a YAML mapping without aliases, or remove it", 1)
        return FrontMatter(found.end(), PROPERTIES, [reject])


def _mapping(source: str) -> dict[str, Any]:
    if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(source, Loader=yaml.SafeLoader)):
        raise ValueError("it uses aliases")
    value = yaml.safe_load(source)
    if value is not None and not isinstance(value, dict):
        raise ValueError("it is not a mapping")
    return {str(name): inner for name, inner in (value or {}).items()}


def properties_of(mapping: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a file says of itself as properties of PARSED. Of two names for one property the first counts."""
    properties = dict(PROPERTIES)
    extra = {}
    for name, value in mapping.items():
        known = _NAMES.get(name.lower())
        if known and properties[known] is None and value is not None:
            properties[known] = _text(value)
        else:
            extra[name] = value
    properties["extra"] = json.dumps(extra, ensure_ascii=False, sort_keys=True, default=_text)
    return properties


def _text(value: Any) -> str:
    """Return a value as text: dates in ISO 8601, lists joined with commas."""
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, (list, tuple, set)):
        return ", ".join(_text(inner) for inner in value)
    return clean(str(value)).strip()
