"""Calls that run in worker processes: what a step does for some contents, from the last step's staged rows to rows of its own.

Nothing of Prefect is imported here, because each worker process would load it.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

import pyarrow as pa

from schemas.options.sections import ChunkOptions, ParseOptions
from schemas.references import Content
from tasks.chunk.chunk import BoundaryInputs, chunk_content
from tasks.describe.figure_types import FigureClass
from tasks.describe.io.describe import describe_content
from tasks.describe.io.examine import OcrSettings
from tasks.embed.io import tokenizer
from tasks.embed.io.tokenizer import Tokenizer
from tasks.parse.io.parse import Tick, join_staged, parse_if_short, parse_staged
from tasks.refresh.io.screening import Screening, screen_described, screen_parsed
from tasks.store.packs import StagedRow

Classes = Mapping[int, FigureClass]
"""What the figures of a content are, by index."""

ParseCall = tuple[ParseOptions, Screening | None]
"""How a file is parsed, and what is looked for in it."""


def parse_together(calls: Sequence[tuple[Content, ParseCall]], tick: Tick) -> pa.Table:
    """Parse contents; a document that cannot be read has a row with the reason."""
    return _apply_to_each(lambda content, how: screen_parsed(parse_staged(content, how[0], tick), how[1]), calls, tick)


def parse_short_document(content: Content, how: ParseCall, tick: Tick) -> pa.Table | int:
    """Parse a content as `parse_together` does, but of a long document return only its number of pages."""
    found = parse_if_short(content, how[0], tick)
    return found if isinstance(found, int) else screen_parsed(found, how[1])


def join_long_document(content: Content, how: ParseCall, folder: str, tick: Tick) -> pa.Table:
    """Return the row of the document whose ranges are in `folder`."""
    return screen_parsed(join_staged(content, how[0], folder, tick), how[1])


def describe_together(calls: Sequence[tuple[StagedRow, OcrSettings, Classes, Screening | None]], tick: Tick) -> pa.Table:
    """Describe contents from their parsed rows; the mapping says what a content's figures are."""

    def describe(staged: StagedRow, settings: OcrSettings, classes: Classes, screening: Screening | None) -> pa.Table:
        parsed = staged.read()
        return screen_described(describe_content(parsed, settings, classes, tick), parsed, screening)

    return _apply_to_each(describe, calls, tick)


def chunk_together(calls: Sequence[tuple[StagedRow, ChunkOptions, str, StagedRow | None]], tick: Tick) -> pa.Table:
    """Cut contents from their described rows, counting in the tokens of an embedder.

    The last row holds what the strategy needs, if it needs something: vectors of sentences, or proposals.
    """
    return _apply_to_each(_chunk_described, calls, tick)


def _apply_to_each(function: Callable[..., pa.Table], calls: Sequence[tuple[object, ...]], tick: Tick) -> pa.Table:
    rows = []
    for n_done, call in enumerate(calls, start=1):
        rows.append(function(*call))
        tick(n_done)
    return pa.concat_tables(rows).combine_chunks()


def _chunk_described(described: StagedRow, options: ChunkOptions, model: str, boundaries: StagedRow | None) -> pa.Table:
    row = described.read().to_pylist()[0]
    return chunk_content(
        row, options, _load_tokenizer(model).count, _make_boundary_inputs(boundaries.read(), options) if boundaries else None
    )


def _make_boundary_inputs(table: pa.Table, options: ChunkOptions) -> BoundaryInputs:
    if options.strategy == "llm":
        return BoundaryInputs(breaks=table["breaks"][0].as_py(), reason=table["reason"][0].as_py())
    vectors = table["vectors"][0].values
    return BoundaryInputs(vectors=vectors.flatten().to_numpy(zero_copy_only=False).reshape(len(vectors), -1))


@lru_cache(maxsize=2)
def _load_tokenizer(model: str) -> Tokenizer:
    return tokenizer.load_tokenizer(tokenizer.find_model_folder(model))
