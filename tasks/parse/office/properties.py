"""The properties that an Office document states."""

import json

from schemas.records import Properties
from tasks.parse.layout.prose import clean
from tasks.parse.office.package import TolerantPackage
from tasks.parse.web.properties import iso_date

_UNTOLD = ("powerpoint presentation", "powerpoint-präsentation", "présentation powerpoint", "presentación de powerpoint")
"""Default titles that PowerPoint writes itself."""
_EXTRA = ("subject", "keywords", "description", "category")


def office_properties(package: TolerantPackage, language: str | None = None) -> Properties:
    """Return title, author, dates and language, and subject and keywords as extra. `language` is that of the text."""
    found = _core(package)
    title = found.get("title")
    extra = {name: found[name] for name in _EXTRA if found.get(name)}
    return {
        "title": None if (title or "").lower() in _UNTOLD else title,
        "author": found.get("creator"),
        "created": iso_date(found.get("created", "")),
        "modified": iso_date(found.get("modified", "")),
        "language": found.get("language") or language,
        "extra": json.dumps(extra, ensure_ascii=False, sort_keys=True),
    }


def _core(package: TolerantPackage) -> dict[str, str]:
    for part in package.relations("", "core-properties").values():
        tree = package.tree(part)
        nodes = list(tree) if tree is not None else []
        fields = {str(node.tag).rpartition("}")[2]: clean(node.text or "").strip() for node in nodes}
        return {name: value for name, value in fields.items() if value}
    return {}
