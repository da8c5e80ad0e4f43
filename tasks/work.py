"""Work: what a step does for one content, from the staged file of the step before to a row of its own.

These functions run in worker processes: nothing of Prefect is imported here.
"""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import pyarrow as pa

from schemas.options import ChunkOptions
from tasks.adapters import files, tokenizer
from tasks.adapters.tokenizer import Tokenizer
from tasks.chunk import chunk_content
from tasks.describe import Reader, describe_content
from tasks.parse import Tick
from tasks.transforms.figure_types import Look


def describe_staged(parsed: str, reader: Reader, looks: Mapping[int, Look], tick: Tick) -> pa.Table:
    """Describe the content whose parsed row is staged at `parsed`; `looks` says what its figures are."""
    return describe_content(files.read_table(Path(parsed)), reader, looks, tick)


def chunk_staged(described: str, options: ChunkOptions, model: str, tick: Tick) -> pa.Table:
    """Cut the content whose described row is staged at `described`, counting in the tokens of the embedder `model`."""
    row = files.read_table(Path(described)).to_pylist()[0]
    table = chunk_content(row, options, _tokenizer(model).count)
    tick(1)
    return table


@lru_cache(maxsize=2)
def _tokenizer(model: str) -> Tokenizer:
    return tokenizer.load_tokenizer(tokenizer.model_dir(model))
