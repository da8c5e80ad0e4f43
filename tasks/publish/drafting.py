"""Drafting: make rows of the tables from the staged rows of one content, by adding ids, path and metadata."""

import json
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import PurePosixPath
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from schemas.errors import DocumentError
from schemas.ids import chunk_id, element_id, normal_path
from schemas.tables.chunks import SPANS
from schemas.tables.documents import CURRENT, PROPERTY_NAMES
from schemas.tables.elements import PLACED
from schemas.tables.figures import FINDINGS
from schemas.types import COLUMN_TYPES
from tasks.refresh.planning import SourceFile, metadata_hash

SLICE = 1024
"""How many chunks have their texts in memory as strings at the same time."""


class Place(NamedTuple):
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


class StagedTables(NamedTuple):
    """The staged rows of one content: tables of one row each."""

    parsed: pa.Table
    described: pa.Table
    chunked: pa.Table
    embedded: pa.Table


def document_rows(place: Place, staged: StagedTables, schema: pa.Schema) -> pa.Table:
    """Return the document's row of DOCUMENTS."""
    properties = staged.parsed["properties"][0].as_py()
    given, declared, rest = split_metadata(place, properties)
    text = staged.described["text"][0].as_py()
    row = {
        "document_id": place.document_id,
        "source_name": place.source_name,
        "path": place.path,
        "sha256": place.file.sha256,
        "media_type": place.file.media_type,
        "recipe": place.recipe,
        "metadata_hash": metadata_hash(place.file.metadata),
        "state": CURRENT,
        **given,
        "title": title_of(place, staged),
        "metadata": json.dumps(rest, ensure_ascii=False, sort_keys=True, default=str),
        **declared,
        "run_id": place.run_id,
        "n_pages": len(staged.parsed["pages"][0]),
        "n_chars": len(text),
        "n_elements": len(staged.described["elements"][0]),
        "n_chunks": len(staged.chunked["chunks"][0]),
        "text": text,
    }
    return pa.Table.from_pylist([row], schema=schema)


def split_metadata(place: Place, properties: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Return a document's properties, the values of its declared columns, and all other metadata.

    Metadata files take precedence over front matter, and front matter over the file's own properties.

    Raises:
        DocumentError: in the front matter, the value of a declared column has the wrong type.
    """
    extra = json.loads(properties["extra"])
    merged = {**{name: properties[name] for name in PROPERTY_NAMES if properties[name]}, **extra, **place.file.metadata}
    given = {name: str(merged.pop(name)) if merged.get(name) is not None else None for name in PROPERTY_NAMES}
    declared = {name: column_value(name, merged.get(name), kind) for name, kind in place.columns.items()}
    rest = {name: value for name, value in merged.items() if name not in place.columns}
    return given, declared, rest


def column_value(name: str, value: Any, kind: str) -> Any:
    """Return `value` as the type `kind` of the declared column `name`.

    >>> column_value("year", "2023", "int")
    2023

    Raises:
        DocumentError: the value does not fit the type.
    """
    if value is None:
        return None
    try:
        if kind == "date":
            return date.fromisoformat(str(value))
        return pa.scalar(value).cast(COLUMN_TYPES[kind]).as_py()
    except (ValueError, OverflowError, pa.ArrowException) as error:
        raise DocumentError(
            f"its front matter gives {name} as {value!r}, which is not of type {kind}: correct it, or declare another type"
        ) from error


def title_of(place: Place, staged: StagedTables) -> str:
    """Return the document's title: from its metadata, or its first title or heading, or its file name."""
    properties = staged.parsed["properties"][0].as_py()
    given = place.file.metadata.get("title") or properties["title"]
    if given and str(given).strip():
        return str(given).strip()
    elements = staged.described["elements"][0].values
    if len(elements):
        heads = pc.is_in(elements.field("kind"), pa.array(["title", "heading"]))
        first = elements.field("text").filter(heads)
        if len(first) and first[0].as_py().strip():
            return str(first[0].as_py().strip("# \n"))
    return PurePosixPath(place.path).name


def element_rows(place: Place, staged: StagedTables, schema: pa.Schema) -> pa.Table:
    """Return the document's rows of ELEMENTS."""
    listed = staged.described["elements"][0].values
    pages = listed.field("page_number").to_pylist()
    columns = {field.name: listed.field(field.name) for field in PLACED}
    ids = [element_id(place.document_id, page, position) for position, page in enumerate(pages)]
    return _table({"element_id": ids, "position": range(len(ids)), **columns}, place, len(ids), schema)


def figure_rows(place: Place, staged: StagedTables, schema: pa.Schema) -> pa.Table:
    """Return the document's rows of FIGURES."""
    figures = staged.described["figures"][0].values
    if not len(figures):
        return schema.empty_table()
    positions = figures.field("position")
    elements = staged.described["elements"][0].values.take(positions)
    pages = elements.field("page_number").to_pylist()
    pairs = zip(positions.to_pylist(), pages, strict=True)
    ids = [element_id(place.document_id, page, position) for position, page in pairs]
    columns = {field.name: figures.field(field.name) for field in FINDINGS}
    return _table({"element_id": ids, "page_number": pages, "bbox": elements.field("bbox"), **columns}, place, len(ids), schema)


def chunk_rows(place: Place, staged: StagedTables, schema: pa.Schema) -> pa.Table:
    """Return the document's rows of CHUNKS, with their vectors and the values of the declared columns."""
    chunks = staged.chunked["chunks"][0].values
    ids = [chunk_id(place.document_id, place.recipe, *span) for span in _chunks_of(chunks)]
    _, declared, _ = split_metadata(place, staged.parsed["properties"][0].as_py())
    columns: dict[str, Any] = {field.name: chunks.field(field.name) for field in SPANS}
    columns |= {name: pa.repeat(pa.scalar(value, schema.field(name).type), len(ids)) for name, value in declared.items()}
    columns |= {"chunk_id": ids, "position": range(len(ids)), "vector": staged.embedded["vectors"][0].values}
    columns |= {
        name: pa.repeat(value, len(ids)) for name, value in (("title", title_of(place, staged)), ("recipe", place.recipe))
    }
    columns |= {"source_name": pa.repeat(place.source_name, len(ids)), "path": pa.repeat(place.path, len(ids))}
    return _table(columns, place, len(ids), schema)


def _chunks_of(chunks: pa.StructArray) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and text of each chunk. A long text is never in memory as a whole, only SLICE chunks."""
    for at in range(0, len(chunks), SLICE):
        part = chunks.slice(at, SLICE)
        yield from zip(*(part.field(name).to_pylist() for name in ("start_char", "end_char", "text")), strict=True)


def _table(columns: dict[str, Any], place: Place, n: int, schema: pa.Schema) -> pa.Table:
    whole = {**columns, "document_id": pa.repeat(place.document_id, n)}
    return pa.Table.from_arrays([_array(whole[field.name], field.type) for field in schema], schema=schema)


def _array(values: Any, kind: pa.DataType) -> pa.Array:
    if not isinstance(values, pa.Array):
        return pa.array(values, kind)
    return values if values.type == kind else values.cast(kind)


def uncovered_chars(text: str, spans: list[tuple[int, int]]) -> int:
    """Count the characters of `text`, without white space, that no half-open span covers.

    >>> uncovered_chars("ab cd", [(0, 2)])
    2
    """
    missing, reached = 0, 0
    for start, end in sorted(spans):
        if start > reached:
            missing += _visible(text[reached:start])
        reached = max(reached, end)
    return missing + _visible(text[reached:])


def _visible(text: str) -> int:
    return sum(map(len, text.split()))


def _spans(rows: pa.StructArray) -> list[tuple[int, int]]:
    return list(zip(rows.field("start_char").to_pylist(), rows.field("end_char").to_pylist(), strict=True))


def coverage(staged: StagedTables) -> float:
    """Return the share of the text's characters that its chunks cover, in [0, 1], without white space and furniture."""
    text = staged.described["text"][0].as_py()
    chunks = staged.chunked["chunks"][0].values
    elements = staged.described["elements"][0].values
    furniture = elements.filter(pc.and_(pc.equal(elements.field("kind"), "furniture"), pc.is_valid(elements.field("start_char"))))
    spans = [span for rows in (chunks, furniture) for span in _spans(rows)]
    visible = _visible(text)
    return 1.0 - uncovered_chars(text, spans) / visible if visible else 1.0
