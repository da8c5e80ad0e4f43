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
from tasks.parse.io.parse import Tick, parse_staged
from tasks.store.packs import StagedRow


def parse_together(calls: Sequence[tuple[Content, ParseOptions]], tick: Tick) -> pa.Table:
    """Parse contents; a document that cannot be read has a row with the reason."""
    return _apply_to_each(lambda content, options: parse_staged(content, options, tick), calls, tick)


def describe_together(calls: Sequence[tuple[StagedRow, OcrSettings, Mapping[int, FigureClass]]], tick: Tick) -> pa.Table:
    """Describe contents from their parsed rows; the mapping says what a content's figures are."""
    return _apply_to_each(lambda parsed, settings, classes: describe_content(parsed.read(), settings, classes, tick), calls, tick)


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
