"""Heads: place, properties and metadata of documents, from their files, from front matter and from beside them."""

import json
from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple

import pyarrow as pa

from schemas.access import DEFAULT, GROUPS, LISTED, NOBODY
from schemas.errors import DocumentError
from schemas.ids import normal_path
from schemas.tables.documents import PROPERTY_NAMES
from schemas.types import COLUMN_TYPES
from tasks.refresh.listed import find_misspelt_groups, split_groups, split_list
from tasks.refresh.planning import SourceFile


class DocumentPlace(NamedTuple):
    """The place of a content in the corpus: the ids and names for its rows."""

    document_id: str
    source_name: str
    file: SourceFile
    recipe: str
    run_id: str
    columns: Mapping[str, str]

    @property
    def path(self) -> str:
        """The document's path below its source, in normal form."""
        return normal_path(self.file.path)


class DocumentHead(NamedTuple):
    """What is known of a document besides its content: its own properties, the values of declared columns, all the rest.

    `title` is None if neither the file nor its metadata gives one.
    """

    properties: dict[str, str | None]
    declared: dict[str, Any]
    rest: dict[str, Any]
    title: str | None


def read_document_head(place: DocumentPlace, properties: Mapping[str, Any]) -> DocumentHead:
    """Return the head of the document at `place`; `properties` are those that its content gives, see PROPERTIES.

    Metadata files take precedence over front matter, and front matter over the file's own properties.

    Raises:
        DocumentError: in the front matter, the value of a declared column has the wrong type, or `groups` seems to be misspelt.
    """
    extra = json.loads(properties["extra"])
    merged = {**{name: properties[name] for name in PROPERTY_NAMES if properties[name]}, **extra, **place.file.metadata}
    given = {name: str(merged.pop(name)) if merged.get(name) is not None else None for name in PROPERTY_NAMES}
    default = merged.pop(DEFAULT, NOBODY)
    if GROUPS in place.columns and (wrong := find_misspelt_groups(name for name in extra if name not in place.columns)):
        raise DocumentError(f"its front matter has {wrong}, which seems to mean {GROUPS}: write it so, or rename it")
    known = {name.casefold(): name for name in place.columns}
    merged = {known.get(name.strip().casefold(), name): value for name, value in merged.items()}
    declared = {name: convert_to_column_type(name, merged.get(name), kind) for name, kind in place.columns.items()}
    if GROUPS in declared:
        declared[GROUPS] = declared[GROUPS] or [default]
    rest = {name: value for name, value in merged.items() if name not in place.columns}
    title = str(place.file.metadata.get("title") or properties["title"] or "").strip()
    return DocumentHead(given, declared, rest, title or None)


def convert_to_column_type(name: str, value: object, kind: str) -> Any:
    """Return `value` as the type `kind` of the declared column `name`.

    >>> convert_to_column_type("year", "2023", "int")
    2023

    Raises:
        DocumentError: the value does not fit the type.
    """
    if value is None:
        return None
    try:
        if kind == LISTED:
            return split_groups(value) if name == GROUPS else split_list(value)
        if kind == "date":
            return date.fromisoformat(str(value))
        return pa.scalar(value).cast(COLUMN_TYPES[kind]).as_py()
    except (TypeError, ValueError, OverflowError, pa.ArrowException) as error:
        raise DocumentError(
            f"its front matter gives {name} as {value!r}, which is not of type {kind}: correct it, or declare another type"
        ) from error
