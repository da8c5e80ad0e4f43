"""Calls that run in worker processes: what a step does for one content, from the last step's staged file to a row of its own.

Nothing of Prefect is imported here, because each worker process would load it.
"""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import pyarrow as pa

from schemas.options.sections import ChunkOptions
from tasks.chunk.chunk import BoundaryInputs, chunk_content
from tasks.describe.figure_types import FigureClass
from tasks.describe.io.describe import OcrSettings, describe_content
from tasks.embed.io import tokenizer
from tasks.embed.io.tokenizer import Tokenizer
from tasks.parse.io.parse import Tick
from tasks.store import files


def describe_staged(parsed: str, settings: OcrSettings, classes: Mapping[int, FigureClass], tick: Tick) -> pa.Table:
    """Describe the content whose parsed row is staged at `parsed`; `classes` says what its figures are."""
    return describe_content(files.read_table(Path(parsed)), settings, classes, tick)


def chunk_staged(described: str, options: ChunkOptions, model: str, boundary_inputs: str | None, tick: Tick) -> pa.Table:
    """Cut the content whose described row is staged at `described`, counting in the tokens of the embedder `model`.

    `boundary_inputs` is where what the strategy needs is staged: vectors of sentences, or proposals.
    """
    row = files.read_table(Path(described)).to_pylist()[0]
    table = chunk_content(
        row, options, _tokenizer(model).count, _boundary_inputs(Path(boundary_inputs), options) if boundary_inputs else None
    )
    tick(1)
    return table


def _boundary_inputs(path: Path, options: ChunkOptions) -> BoundaryInputs:
    table = files.read_table(path)
    if options.strategy == "llm":
        return BoundaryInputs(breaks=table["breaks"][0].as_py(), reason=table["reason"][0].as_py())
    vectors = table["vectors"][0].values
    return BoundaryInputs(vectors=vectors.flatten().to_numpy(zero_copy_only=False).reshape(len(vectors), -1))


@lru_cache(maxsize=2)
def _tokenizer(model: str) -> Tokenizer:
    return tokenizer.load_tokenizer(tokenizer.model_dir(model))
