"""Data frames of the tests as the suites take them."""

from collections import Counter
from collections.abc import Collection, Iterable

import pandas as pd
import pyarrow as pa

from expectations.chunks import Chunks
from expectations.documents import add_known_column, tally_references
from expectations.expected import Finding
from expectations.judging import judge_expectations
from expectations.lengths import count_chunk_lengths


def counted(lengths: Iterable[int]) -> Counter[int]:
    return Counter(int(length) for length in lengths)


TYPES = {
    **dict.fromkeys(("chunk", "chunk_id", "document_id", "element_id", "path"), pa.string()),
    **dict.fromkeys(("n_tokens", "n_chars", "n_chunks", "n_rejects"), pa.int64()),
    **dict.fromkeys(("blank", "new", "planned"), pa.bool_()),
    **dict.fromkeys(("norm", "coverage"), pa.float64()),
}


def as_table(frame: pd.DataFrame) -> pa.Table:
    return pa.table({str(name): pa.array(frame[name], TYPES[str(name)], from_pandas=True) for name in frame.columns})


def as_chunks(frame: pd.DataFrame) -> Chunks:
    """The rows that are new, and the lengths of the others."""
    new, ids = frame[frame["new"].astype(bool)], list(frame["chunk_id"])
    once = [name for name, n in Counter(frame["document_id"]).items() if n == 1]
    staying, whole = (
        count_chunk_lengths(as_table(rows), pa.array(once, pa.string())) for rows in (frame[~frame.index.isin(new.index)], frame)
    )
    parts = new.rename(columns={"chunk_id": "chunk"}).drop(columns="document_id")
    repeated = [name for name, n in Counter(ids).items() for _ in range(n) if n > 1]
    return Chunks([as_table(parts)], staying, whole, len(frame), pa.array(repeated, pa.string()))


def references(table: str, frame: pd.DataFrame, key: str, documents: Collection[str]) -> list[Finding]:
    known = pa.array(sorted(documents), pa.string())
    return judge_expectations([tally_references(table, [add_known_column(as_table(frame), known)], len(frame), key)])
