"""Indexes and fragments of tables: new rows are indexed, small fragments are joined by tiers, purged rows are rewritten away."""

import logging
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from itertools import groupby, takewhile
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import pyarrow as pa

from schemas.tables.chunks import make_chunks_schema
from schemas.tables.documents import make_documents_schema
from tasks.language.function_words import JAPANESE
from tasks.store import vector_indexes
from tasks.store.loading import import_lance
from tasks.store.vector_indexes import VECTORS

if TYPE_CHECKING:
    from lance import LanceDataset, LanceScanner
    from lance.fragment import LanceFragment
    from lancedb.index import FTS, Bitmap, BTree, LabelList
    from lancedb.table import LanceTable

SCANNED_ROWS = 1_000
"""Fewer new vectors than this are searched without index, in a millisecond. A piece of an index, however small, repeats the
centres of all lists: 0.4 MB for a million rows."""

INDEXED: Mapping[str, Sequence[str]] = {
    "documents": ("document_id",),
    "elements": ("document_id",),
    "figures": ("document_id",),
    "chunks": ("search_terms", "document_id"),
    "rejects": ("document_id",),
}
"""By table, the columns by which searches and refreshes look rows up."""
OWN_COLUMNS = {"documents": {*make_documents_schema({}).names}, "chunks": {*make_chunks_schema(1, {}).names}}
"""By table, the columns of every corpus; all others are declared."""

REPLACED = {"chunks": ("text",)}
"""By table, columns that older versions indexed."""
FULL_TEXT: Mapping[str, Any] = {
    "with_position": False,
    "base_tokenizer": "icu/split",
    "stem": False,
    "max_token_length": None,
    "remove_stop_words": True,
    "custom_stop_words": sorted(JAPANESE),
}
"""How the index reads terms, which are stemmed already: words without blanks between them are told by ICU's dictionaries. Lance
would leave out words of more than 40 letters, such as digests and compounds."""
LONGEST = "max_token_length"
logger = logging.getLogger(__name__)
OLDER_FULL_TEXT: Mapping[str, Any] = {"with_position": False}
"""How older versions indexed texts: a purge makes the indexes of old generations anew."""

MIN_JOINED = 8
"""Fewer pieces than this are not worth joining."""

GROWTH = 4
"""Pieces are joined when together they are so many times the largest: a row is rewritten log4(rows) times at most."""

FULL_ROWS = 1_048_576
"""Pieces of so many rows are joined with no other."""

MAX_DELETED_SHARE, MIN_DELETED = 0.2, 256
"""A piece that lost more than this share of its rows, and more than these few, is written anew: what is lost takes no more than a
fifth of the room."""


class Fragment(NamedTuple):
    """A fragment of a table or a segment of an index: its rows, and how many of them are deleted."""

    rows: int
    lost: int = 0

    @property
    def n_live_rows(self) -> int:
        """How many rows are left of it."""
        return self.rows - self.lost

    @property
    def is_worn(self) -> bool:
        """Whether so many of its rows are deleted that it is written anew."""
        return self.lost > max(MAX_DELETED_SHARE * self.rows, MIN_DELETED)


def maintain_indexes(table: "LanceTable") -> None:
    """Make the indexes that are missing or outgrown, extend all to the new rows, and join small fragments.

    What is written is in proportion to the rows that are new: an index grows by a piece of its own for them, and files and
    pieces are joined as `choose_rewrites` says.
    """
    rows = table.count_rows()
    if "search_terms" in INDEXED.get(table.name, ()):
        _drop_outdated_indexes(table)
    present = {column for index in table.list_indices() for column in index.columns}
    for column in list_indexed_columns(table):
        if rows and column not in present:
            table.create_index(column, config=_make_index_config(table, column))
    for index in table.list_indices():
        if set(index.columns) & set(REPLACED.get(table.name, ())):
            table.drop_index(index.name)
    dataset = import_lance().dataset(table.uri)
    if table.name == "chunks":
        vector_indexes.ensure_vector_index(dataset)
    files = list_fragments(dataset)
    numbers = list(files)
    chosen = {numbers[place] for place in choose_rewrites(list(files.values()))}
    _extend_indexes(table, dataset, {number: piece.n_live_rows for number, piece in files.items()}, chosen)
    if chosen:
        dataset.optimize.compact_files(
            target_rows_per_fragment=FULL_ROWS,
            materialize_deletions_threshold=MAX_DELETED_SHARE,
            excluded_fragment_ids=[number for number in files if number not in chosen],
        )
    table.checkout_latest()


def list_indexed_columns(table: "LanceTable") -> list[str]:
    """Return the columns by which rows of a table are looked up: Pagemill's own, and those that conditions may be about."""
    own = OWN_COLUMNS.get(table.name)
    declared = [] if own is None else [name for name in table.schema.names if name not in own]
    return [*INDEXED.get(table.name, ()), *declared]


def choose_scalar_index(kind: pa.DataType) -> Literal["BTREE", "BITMAP", "LABEL_LIST"]:
    """Return the type of the index of a column that conditions are about."""
    if pa.types.is_list(kind):
        return "LABEL_LIST"
    return "BITMAP" if pa.types.is_boolean(kind) else "BTREE"


def _drop_outdated_indexes(table: "LanceTable") -> None:
    """Drop full-text indexes of older versions, which leave out long words."""
    for index in import_lance().dataset(table.uri).describe_indices():
        if index.details and index.details.get(LONGEST) != FULL_TEXT[LONGEST]:
            table.drop_index(index.name)


def list_fragments(dataset: "LanceDataset") -> dict[int, Fragment]:
    """Return the files of a Lance dataset by their numbers, oldest first."""
    return {it.fragment_id: Fragment(it.physical_rows, it.num_deletions) for it in dataset.get_fragments()}


def find_stored_columns(version: "LanceDataset", fragment: "LanceFragment") -> dict[str, set[tuple[str, int]]]:
    """Return, for each column that a fragment has, the files and fields in them that hold it."""
    stored = {field: file.path for file in fragment.data_files() for field in file.fields}
    columns = {column.name(): list_field_ids(column) for column in version.lance_schema.fields()}
    held = {name: {(stored[field], field) for field in fields if field in stored} for name, fields in columns.items()}
    return {name: places for name, places in held.items() if places}


def list_field_ids(field: Any) -> list[int]:
    """Return the numbers of a field of a Lance schema and of those in it."""
    return [field.id(), *(number for child in field.children() for number in list_field_ids(child))]


def extend_indexes(table: "LanceTable") -> None:
    """Give every index a piece for the rows that it does not cover; a few vectors wait until they are more."""
    dataset = import_lance().dataset(table.uri)
    _extend_indexes(table, dataset, {number: piece.n_live_rows for number, piece in list_fragments(dataset).items()}, ())
    table.checkout_latest()


def _extend_indexes(table: "LanceTable", dataset: "LanceDataset", living: Mapping[int, int], chosen: Collection[int]) -> None:
    """Give every index a piece for the files that it does not cover; `living` are the rows of all files.

    Its last pieces are joined if there are many, or if they cover files that are `chosen` to be joined: Lance joins only files
    that the same pieces cover.
    """
    for name, pieces in list_index_segments(dataset).items():
        uncovered = _choose_fragments_to_cover(name, living, living.keys() - frozenset().union(*pieces), chosen)
        new = [sum(living[number] for number in uncovered)] if uncovered else []
        sizes = [sum(living.get(number, 0) for number in piece) for piece in pieces]
        covering = takewhile(lambda piece: piece & living.keys() <= set(chosen), reversed(pieces))
        joined = max(count_to_join([*sizes, *new]) - len(new), sum(1 for _ in covering) if chosen else 0, 0)
        if uncovered or joined > 1:
            _extend_index(table, dataset, name, joined)


def _extend_index(table: "LanceTable", dataset: "LanceDataset", name: str, joined: int) -> None:
    """Give an index a piece for what it does not cover, joined with its last ones; one that cannot be extended is built anew."""
    try:
        dataset.optimize.optimize_indices(index_names=[name], num_indices_to_merge=joined)
    except (OSError, RuntimeError, ValueError) as error:
        logger.warning("index %s of table %s cannot be extended (%s): it is built anew", name, table.name, error)
        table.checkout_latest()
        column = next(index.columns[0] for index in table.list_indices() if index.name == name)
        table.drop_index(name)
        build_index(table, column)
        dataset.checkout_latest()


def _choose_fragments_to_cover(name: str, living: Mapping[int, int], uncovered: Set[int], chosen: Collection[int]) -> Set[int]:
    """Return which of the `uncovered` files an index is to cover: a few vectors wait until they are more, or joined."""
    few = sum(living[number] for number in uncovered) < SCANNED_ROWS
    apart = uncovered.isdisjoint(chosen) or uncovered >= set(chosen)
    return frozenset() if name == VECTORS and few and apart else uncovered


def list_index_segments(dataset: "LanceDataset") -> dict[str, list[frozenset[int]]]:
    """Return, for each index by name, the files that each of its pieces covers, oldest piece first."""
    return {index.name: [frozenset(piece.fragment_ids) for piece in index.segments] for index in dataset.describe_indices()}


def read_rows_even_deleted(table: "LanceTable", columns: list[str], where: str) -> pa.Table:
    """Return the rows of a table that `where` (SQL) keeps, and those that are deleted and still in its files.

    A row can be there twice.
    """
    dataset = import_lance().dataset(table.uri, version=table.version)
    found = [dataset.to_table(columns, where)]
    if worn := [it for it in dataset.get_fragments() if it.num_deletions]:
        found.append(scan_even_deleted(dataset, worn, columns, filter=where).to_table().select(columns))
    return pa.concat_tables(found)


def scan_even_deleted(
    dataset: "LanceDataset", fragments: "list[LanceFragment]", columns: list[str], **how: Any
) -> "LanceScanner":
    """Return a scanner of all rows in the files of some fragments, deleted ones too, in order; it adds the column `_rowid`."""
    return dataset.scanner(
        columns,
        fragments=fragments,
        include_deleted_rows=True,
        with_row_id=True,  # Lance wants it for deleted rows; it can neither look them up nor read their columns later
        use_scalar_index=False,
        late_materialization=False,
        **how,
    )


def rewrite_without_deleted_rows(table: "LanceTable") -> None:
    """Write the files of deleted rows of a table without indexes anew without them, so that nothing of them is left."""
    dataset = import_lance().dataset(table.uri)
    dataset.optimize.compact_files(materialize_deletions=True, materialize_deletions_threshold=0.0)
    table.checkout_latest()


def build_index(table: "LanceTable", column: str) -> None:
    """Build the index of a column over all rows, if there are any; of vectors, if there are enough."""
    if column == vector_indexes.COLUMN:
        vector_indexes.ensure_vector_index(import_lance().dataset(table.uri))
        table.checkout_latest()
    elif table.count_rows():
        table.create_index(column, config=_make_index_config(table, column))


def _make_index_config(table: "LanceTable", column: str) -> "FTS | BTree | Bitmap | LabelList":
    from lancedb.index import FTS, Bitmap, BTree, LabelList

    full_text = {"search_terms": FULL_TEXT, "text": OLDER_FULL_TEXT}
    if column in full_text:
        return FTS(**full_text[column])
    kind = choose_scalar_index(table.schema.field(column).type)
    if kind == "LABEL_LIST":
        return LabelList()
    return Bitmap() if kind == "BITMAP" else BTree()


def choose_rewrites(pieces: Sequence[Fragment]) -> set[int]:
    """Return the positions of the `pieces`, oldest first, that are to be rewritten. Neighbours are joined into one piece.

    All pieces that are younger than a worn one are rewritten with it, so that pieces stay in the order of their age.

    >>> choose_rewrites([Fragment(5000), *[Fragment(1)] * 8])
    {1, 2, 3, 4, 5, 6, 7, 8}
    >>> choose_rewrites([Fragment(5000, lost=1001), Fragment(1)]), choose_rewrites([Fragment(5000, lost=999), Fragment(1)])
    ({0, 1}, set())
    """
    found: set[int] = set()
    for full, run in groupby(enumerate(pieces), lambda placed: placed[1].n_live_rows >= FULL_ROWS):
        places, ages = zip(*run, strict=True)
        worn = [place for place, piece in zip(places, ages, strict=True) if piece.is_worn]
        joined = places[len(places) - count_to_join([piece.n_live_rows for piece in ages]) :]
        found |= {*worn} if full else {*joined, *(place for place in places if worn and place >= worn[0])}
    return found


def count_to_join(sizes: Sequence[int]) -> int:
    """Return how many of the last pieces are to become one, given the rows of all pieces, oldest first; 0 if none are.

    >>> count_to_join([5000, *[1] * 7]), count_to_join([5000, *[1] * 8]), count_to_join([5000, 8, 8, 8, *[1] * 8])
    (0, 8, 11)
    """
    return max(_list_joinable_counts(sizes), default=0)


def _list_joinable_counts(sizes: Sequence[int]) -> Iterator[int]:
    total = largest = 0
    for n, rows in enumerate(reversed(sizes), start=1):
        total, largest = total + max(rows, 1), max(largest, rows, 1)
        if n >= MIN_JOINED and total >= GROWTH * largest:
            yield n
