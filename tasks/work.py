"""Work: what a step does for one content, from the staged file of the step before to a row of its own.

These functions run in worker processes: nothing of Prefect is imported here.
"""

from functools import lru_cache
from pathlib import Path

import pyarrow as pa

from schemas.options import ChunkOptions, DescribeOptions
from tasks.adapters import files, tokenizer
from tasks.adapters.tokenizer import Tokenizer
from tasks.chunk import chunk_content
from tasks.describe import describe_content
from tasks.parse import Tick


def describe_staged(parsed: str, options: DescribeOptions, languages: str, tick: Tick) -> pa.Table:
    """Describe the content whose parsed row is staged at `parsed`."""
    return describe_content(files.read_table(Path(parsed)), options, languages, tick)


def chunk_staged(described: str, options: ChunkOptions, model: str, tick: Tick) -> pa.Table:
    """Cut the content whose described row is staged at `described`, counting in the tokens of the embedder `model`."""
    row = files.read_table(Path(described)).to_pylist()[0]
    table = chunk_content(row, options, _tokenizer(model).count)
    tick(1)
    return table


@lru_cache(maxsize=2)
def _tokenizer(model: str) -> Tokenizer:
    return tokenizer.load_tokenizer(tokenizer.model_dir(model))
