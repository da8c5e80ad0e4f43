"""Front matter: YAML between two lines of dashes, or TOML between two of plus signs, at the start of a Markdown file."""

import datetime
import json
import re
import tomllib
from collections.abc import Mapping
from typing import NamedTuple

import yaml

from schemas.metadata import make_json_value
from schemas.records import NO_PROPERTIES, Properties, PropertyName, Reason
from tasks.parse.layout.prose import clean
from tasks.parse.rejections import entry

_YAML = re.compile(
    r"---[ \t]*(?:\r\n|\r|\n)(?![ \t]*[\r\n])(.*?)(?:(?<=\n)|(?<=\r))(?:---|\.\.\.)[ \t]*(?:\r\n|\r|\n|$)", re.DOTALL
)
"""A blank line after the first one makes it a rule, as in Pandoc."""
_TOML = re.compile(r"\+\+\+[ \t]*(?:\r\n|\r|\n)(.*?)(?:(?<=\n)|(?<=\r))\+\+\+[ \t]*(?:\r\n|\r|\n|$)", re.DOTALL)
_NAMED = re.compile(r"""["']?[\w.-]+(?: [\w.-]+)?["']?\s*[:=](?:\s|$)|\[+[\w.-]+\]+\s*$|#""")
_FIELD = re.compile(rf"{_NAMED.pattern}|\s|-(?:\s|$)|[\]}}]")
"""A line of front matter: a name and a value, a comment, an item, or what goes on from the line before it."""
_NAMES: dict[str, PropertyName] = {
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
    properties: Properties
    rejects: list[Reason]


NONE = FrontMatter(0, NO_PROPERTIES, [])


def split_front_matter(text: str) -> FrontMatter:
    """Find the front matter of a Markdown text: a mapping in YAML or TOML, or what is meant as one, which is then reported.

    Anything else between two such lines is text below a rule.
    """
    for fence, read, kind in ((_YAML, _yaml_mapping, "YAML"), (_TOML, _toml_mapping, "TOML")):
        if not (found := fence.match(text)):
            continue
        try:
            properties = properties_of(read(found[1]))
        except (yaml.YAMLError, ValueError, RecursionError) as error:
            return _unreadable(found, kind, error)
        return FrontMatter(found.end(), properties, []) if properties != NO_PROPERTIES else NONE
    return NONE


def _unreadable(found: re.Match[str], kind: str, error: Exception) -> FrontMatter:
    """Return front matter with an error; what is no list of names and values is text."""
    lines = [line for line in found[1].splitlines() if line.strip()]
    if not lines or lines[0][0].isspace() or not all(map(_FIELD.match, lines)) or not _NAMED.match(lines[0]):
        return NONE
    why = clean(" ".join(str(error).split()))[:300]
    message = f"the front matter cannot be read as {kind}, so the document has none of its properties: {why}"
    remedy = f"correct it: a {kind} mapping of names to values, without aliases"
    return FrontMatter(found.end(), NO_PROPERTIES, [entry("parse", "DocumentError", message, remedy, 1)])


def _yaml_mapping(source: str) -> dict[str, object]:
    if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(source, Loader=yaml.SafeLoader)):
        raise ValueError("it uses aliases")
    value = yaml.safe_load(source)
    if value is not None and not isinstance(value, dict):
        raise ValueError("it is not a mapping")
    return {str(name): inner for name, inner in (value or {}).items()}


def _toml_mapping(source: str) -> dict[str, object]:
    return tomllib.loads(source.replace("\r\n", "\n").replace("\r", "\n"))


def properties_of(mapping: Mapping[str, object]) -> Properties:
    """Return what a file says of itself as properties of PARSED. Of two names for one property the first counts.

    Raises:
        ValueError: a value cannot be kept; see `make_json_value`.
    """
    properties = NO_PROPERTIES.copy()
    extra = {}
    for name, value in mapping.items():
        known = _NAMES.get(name.lower())
        if known and properties[known] is None and value is not None:
            properties[known] = _text(value)
        else:
            extra[name] = make_json_value(value)
    properties["extra"] = json.dumps(extra, ensure_ascii=False, sort_keys=True, default=_text)
    return properties


def _text(value: object) -> str:
    """Return a value as text: dates in ISO 8601, lists joined with commas."""
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, (list, tuple, set)):
        return ", ".join(_text(inner) for inner in value)
    return clean(str(value)).strip()
