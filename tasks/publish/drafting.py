"""Drafting: make rows of the tables from the staged rows of some contents, by adding ids, paths and metadata.

How much of a text its chunks cover is measured too, for the gate.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from schemas.ids import chunk_id, element_id
from schemas.tables.chunks import SPANS
from schemas.tables.documents import CURRENT
from schemas.tables.elements import PLACED
from schemas.tables.figures import FINDINGS
from schemas.tables.findings import PII_FINDINGS
from tasks.chunk.sentences import ENGLISH
from tasks.language.detection import detect_language, parse_language_code
from tasks.language.terms import extract_terms
from tasks.publish.heads import DocumentHead, DocumentPlace
from tasks.publish.signatures import make_signatures
from tasks.refresh.planning import hash_metadata

SLICE = 1024
"""How many chunks have their texts in memory as strings at the same time."""


class StagedTables(NamedTuple):
    """The staged rows of some contents: tables of one row for each, in one order."""

    parsed: pa.Table
    described: pa.Table
    chunked: pa.Table
    embedded: pa.Table


class Members(NamedTuple):
    """The members of lists, one list after another, and for each the index of the document that it belongs to."""

    rows: pa.Array
    parents: NDArray[np.int64]

    @property
    def positions(self) -> NDArray[np.int64]:
        """The 0-based position of each member in its document."""
        firsts = np.searchsorted(self.parents, self.parents)
        return np.arange(len(self.parents)) - firsts


class Group:
    """Documents that are drafted together: the place and the head of each, and their staged rows, in one order."""

    def __init__(self, places: Sequence[DocumentPlace], heads: Sequence[DocumentHead], staged: StagedTables) -> None:
        self.places, self.heads, self.staged = places, heads, staged

    @cached_property
    def elements(self) -> Members:
        """The described elements."""
        return _flatten_lists(self.staged.described["elements"])

    @cached_property
    def chunks(self) -> Members:
        """The chunks."""
        return _flatten_lists(self.staged.chunked["chunks"])

    @property
    def text(self) -> pa.Array:
        """The texts."""
        return _combine_chunks(self.staged.described["text"])

    @cached_property
    def titles(self) -> list[str]:
        """The titles: from the metadata, or the first title or heading, or the file's name."""
        rows, parents = self.elements
        kinds = pc.is_in(rows.field("kind"), pa.array(["title", "heading"])).to_numpy(zero_copy_only=False)
        with_one, firsts = np.unique(parents[kinds], return_index=True)
        texts = rows.field("text").take(pa.array(np.flatnonzero(kinds)[firsts])).to_pylist()
        headings = {at: text.strip("# \n") for at, text in zip(with_one.tolist(), texts, strict=True) if text.strip()}
        return [
            head.title or headings.get(at) or PurePosixPath(place.path).name
            for at, (place, head) in enumerate(zip(self.places, self.heads, strict=True))
        ]

    @cached_property
    def languages(self) -> list[str | None]:
        """The languages: from a metadata file, or of the text, or as the file itself says."""
        return [
            (place.file.metadata.get("language") and head.properties["language"]) or language or head.properties["language"]
            for place, head, language in zip(self.places, self.heads, self.detected_languages, strict=True)
        ]

    @cached_property
    def detected_languages(self) -> list[str]:
        """The languages that the texts are written in: by these they were cut into sentences."""
        return list(map(detect_language, self.text.to_pylist()))


def _combine_chunks(column: pa.ChunkedArray) -> pa.Array:
    joined = column.combine_chunks()
    return pa.concat_arrays(joined.chunks) if isinstance(joined, pa.ChunkedArray) else joined


def _flatten_lists(lists: pa.ChunkedArray) -> Members:
    whole = _combine_chunks(lists)
    lengths = pc.list_value_length(whole).to_numpy(zero_copy_only=False)
    return Members(whole.flatten(), np.repeat(np.arange(len(lengths)), lengths))


def make_documents(group: Group, schema: pa.Schema) -> pa.Table:
    """Return the rows of DOCUMENTS."""
    text, staged = group.text, group.staged
    rows = [
        {
            "document_id": place.document_id,
            "source_name": place.source_name,
            "path": place.path,
            "sha256": place.file.sha256,
            "media_type": place.file.media_type,
            "recipe": place.recipe,
            "metadata_hash": hash_metadata(place.file.metadata),
            "state": CURRENT,
            **head.properties,
            "title": title,
            "language": language,
            "metadata": json.dumps(head.rest, ensure_ascii=False, sort_keys=True, default=str),
            **head.declared,
            "run_id": place.run_id,
        }
        for place, head, title, language in zip(group.places, group.heads, group.titles, group.languages, strict=True)
    ]
    counted = {
        "n_pages": _measure_list_lengths(staged.parsed["pages"]),
        "n_chars": pc.utf8_length(text),
        "n_elements": _measure_list_lengths(staged.described["elements"]),
        "n_chunks": _measure_list_lengths(staged.chunked["chunks"]),
        "text": text,
        "signature": make_signatures(text.to_pylist(), [place.file.sha256 for place in group.places]),
        **dict.fromkeys(("duplicate_of", "similarity"), pa.nulls(len(rows))),
        "pii_findings": _get_findings(staged.described),
    }
    columns = {name: counted[name] if name in counted else [row[name] for row in rows] for name in schema.names}
    return _make_table(columns, schema)


def _get_findings(described: pa.Table) -> pa.Array:
    """Return what was found of personal data; null where nothing was looked for."""
    has_some = "pii_findings" in described.column_names
    return _combine_chunks(described["pii_findings"]) if has_some else pa.nulls(described.num_rows, PII_FINDINGS)


def _measure_list_lengths(lists: pa.ChunkedArray) -> pa.Array:
    return pc.list_value_length(_combine_chunks(lists))


def make_elements(group: Group, schema: pa.Schema) -> pa.Table:
    """Return the rows of ELEMENTS."""
    members = group.elements
    ids = _list_document_ids(group, members)
    positions = members.positions
    pages = members.rows.field("page_number").to_pylist()
    columns = {field.name: members.rows.field(field.name) for field in PLACED}
    names = [element_id(*key) for key in zip(ids.to_pylist(), pages, positions.tolist(), strict=True)]
    return _make_table({"element_id": names, "document_id": ids, "position": positions, **columns}, schema)


def make_figures(group: Group, schema: pa.Schema) -> pa.Table:
    """Return the rows of FIGURES."""
    figures = _flatten_lists(group.staged.described["figures"])
    if not len(figures.rows):
        return schema.empty_table()
    positions = figures.rows.field("position").to_numpy()
    firsts = np.searchsorted(group.elements.parents, figures.parents)
    elements = group.elements.rows.take(pa.array(firsts + positions))
    pages, ids = elements.field("page_number"), _list_document_ids(group, figures)
    names = [element_id(*key) for key in zip(ids.to_pylist(), pages.to_pylist(), positions.tolist(), strict=True)]
    columns = {field.name: figures.rows.field(field.name) for field in FINDINGS}
    own = {"element_id": names, "document_id": ids, "page_number": pages, "bbox": elements.field("bbox")}
    return _make_table({**own, **columns}, schema)


def make_chunks(group: Group, schema: pa.Schema) -> pa.Table:
    """Return the rows of CHUNKS, with their vectors and the values of the declared columns."""
    members = group.chunks
    of_documents = {
        "document_id": [place.document_id for place in group.places],
        "source_name": [place.source_name for place in group.places],
        "path": [place.path for place in group.places],
        "recipe": [place.recipe for place in group.places],
        "title": group.titles,
        **{name: [head.declared[name] for head in group.heads] for name in group.places[0].columns},
    }
    parents = pa.array(members.parents)
    columns: dict[str, Any] = {
        name: pa.array(values, schema.field(name).type).take(parents) for name, values in of_documents.items()
    }
    columns |= {field.name: members.rows.field(field.name) for field in SPANS}
    columns |= {"position": members.positions, "vector": _combine_chunks(group.staged.embedded["vectors"]).flatten()}
    own = {
        "chunk_id": list(_make_chunk_ids(group, members)),
        "search_terms": pa.array(_make_search_terms(group, members), pa.string()),
    }
    return _make_table({**columns, **own, "sentence_ends": _make_sentence_ends(group, members)}, schema)


def _make_sentence_ends(group: Group, members: Members) -> pa.Array:
    """Return the ends of sentences of each chunk; null if its document is declared to be in another language than its text."""
    declared = [parse_language_code(language or "") for language in group.languages]
    pairs = zip(declared, group.detected_languages, strict=True)
    alike = pa.array([said == found or {said, found} <= {*ENGLISH} for said, found in pairs], pa.bool_())
    return pc.if_else(alike.take(pa.array(members.parents)), members.rows.field("sentence_ends"), None)


def _make_search_terms(group: Group, members: Members) -> Iterator[str]:
    """Yield the terms of each chunk by the language of its document."""
    languages = [parse_language_code(language or "") for language in group.languages]
    for at in range(0, len(members.rows), SLICE):
        texts = members.rows.slice(at, SLICE).field("text").to_pylist()
        for parent, text in zip(members.parents[at : at + SLICE].tolist(), texts, strict=True):
            yield extract_terms(text, languages[parent])


def _make_chunk_ids(group: Group, members: Members) -> Iterator[str]:
    """Yield the id of each chunk. A long text is never in memory as a whole, only SLICE chunks."""
    for at in range(0, len(members.rows), SLICE):
        part = members.rows.slice(at, SLICE)
        spans = zip(*(part.field(name).to_pylist() for name in ("start_char", "end_char", "text")), strict=True)
        for parent, span in zip(members.parents[at : at + SLICE].tolist(), spans, strict=True):
            yield chunk_id(group.places[parent].document_id, group.places[parent].recipe, *span)


def _list_document_ids(group: Group, members: Members) -> pa.Array:
    """Return the id of the document of each member."""
    return pa.array([place.document_id for place in group.places], pa.string()).take(pa.array(members.parents))


Column: TypeAlias = pa.Array | Sequence[object] | NDArray[np.generic]


def _make_table(columns: Mapping[str, Column], schema: pa.Schema) -> pa.Table:
    return pa.Table.from_arrays([_convert_to_array(columns[field.name], field.type) for field in schema], schema=schema)


def _convert_to_array(values: Column, kind: pa.DataType) -> pa.Array:
    if not isinstance(values, pa.Array):
        return pa.array(values, kind)
    return values if values.type == kind else values.cast(kind)


def measure_chunk_coverage(group: Group) -> list[float]:
    """Return for each document the share of its text's characters that its chunks cover, in [0, 1].

    White space and furniture do not count.
    """
    elements = group.elements
    offsets = elements.rows.field("start_char")
    kept = pc.and_(pc.equal(elements.rows.field("kind"), "furniture"), pc.is_valid(offsets))
    spans: list[list[tuple[int, int]]] = [[] for _ in group.places]
    for members in (group.chunks, Members(elements.rows.filter(kept), elements.parents[kept.to_numpy(zero_copy_only=False)])):
        starts, ends = (members.rows.field(name).to_pylist() for name in ("start_char", "end_char"))
        for parent, start, end in zip(members.parents.tolist(), starts, ends, strict=True):
            spans[parent].append((start, end))
    return [measure_covered_share(text.as_py(), of_text) for text, of_text in zip(group.text, spans, strict=True)]


def measure_covered_share(text: str, spans: list[tuple[int, int]]) -> float:
    """Return the share of the visible characters of `text` that half-open spans cover; 1 if it has no visible characters.

    >>> measure_covered_share("ab cd", [(0, 2)])
    0.5
    """
    visible = _count_visible_characters(text)
    return 1.0 - count_uncovered_characters(text, spans) / visible if visible else 1.0


def count_uncovered_characters(text: str, spans: list[tuple[int, int]]) -> int:
    """Count the characters of `text`, without white space, that no half-open span covers.

    >>> count_uncovered_characters("ab cd", [(0, 2)])
    2
    """
    missing, reached = 0, 0
    for start, end in sorted(spans):
        if start > reached:
            missing += _count_visible_characters(text[reached:start])
        reached = max(reached, end)
    return missing + _count_visible_characters(text[reached:])


def _count_visible_characters(text: str) -> int:
    return sum(map(len, text.split()))
