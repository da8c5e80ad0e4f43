"""Changes: seconds and bytes read of the change feed where one of 100,000 documents changed, and seconds of their deliveries.

Each document has one chunk, with a vector drawn around one of 4,000, as texts about the same things have.
PostgreSQL is one of its own, on loopback, if it has pgvector.
"""

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from uuid import uuid4

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

import pagemill
from benchmarks.report import cache_folder, say, say_bar, say_table
from benchmarks.search.drawn import EMBEDDED, around
from benchmarks.server.postgres import postgres, programs
from schemas.corpus import Corpus
from schemas.ids import digest
from schemas.options.delivering import DestinationOptions
from tasks.deliver.io.changes import read_changes
from tasks.deliver.io.deliver import deliver_live_generation
from tasks.publish.io.rollback import make_successor, publish_successor
from tasks.store import indexes, lance, published

CHANGE_SECONDS, CHANGE_BYTES, FIRST_SECONDS, NEXT_SECONDS = 0.5, 1e6, 60.0, 2.0
"""The bars."""


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=100_000, help="documents of the corpus")
    given = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=cache_folder())))
        corpus = draw_corpus(folder, given.documents)
        places = {"Parquet": str(folder / "lake")}
        if (found := programs()) and any((found.parent / "lib").glob("vector.so")):
            address = stack.enter_context(postgres(password := "benchmark"))
            places["pgvector"] = address.replace("postgresql+asyncpg", "postgresql").replace(f":{password}@", "@")
            os.environ["PAGEMILL_DESTINATION_PASSWORD"] = password
        else:
            say("pgvector: left out, it is not installed")
        seconds = {name: [time_call(partial(deliver, corpus, to))] for name, to in places.items()}
        change_document(corpus, 7)
        before = count_bytes_read()
        spent = time_call(lambda: [reader.read_all() for reader in read_changes(corpus, 2, 3, rows=True).tables.values()])
        say_bar("change feed, one document changed: seconds", spent, CHANGE_SECONDS, at_most=True)
        say_bar("change feed, one document changed: bytes read", count_bytes_read() - before, CHANGE_BYTES, at_most=True)
        for name, to in places.items():
            seconds[name].append(time_call(partial(deliver, corpus, to)))
        say_table(["all, s", "one change, s"], seconds, digits=2)
        if "pgvector" in seconds:
            say_bar("pgvector, all: seconds", seconds["pgvector"][0], FIRST_SECONDS, at_most=True)
            say_bar("pgvector, one change: seconds", seconds["pgvector"][1], NEXT_SECONDS, at_most=True)


def draw_corpus(folder: Path, n: int) -> Corpus:
    """Return a corpus whose second generation has `n` documents."""
    (folder / "source").mkdir()
    (folder / "source/note.txt").write_text("The mill was built in 1804, and a flood took its wheel in 1866. " * 4)
    corpus = Corpus(str(folder / "corpus"))
    pagemill.refresh(folder / "source", corpus.uri)
    live = published.read_live_generation(corpus)
    ids, dice = pa.array([digest("drawn", number) for number in range(n)]), np.random.default_rng(1)
    for name, key in (("documents", "document_id"), ("chunks", "chunk_id")):
        first = published.read_columns(corpus, live, name, None)
        rows = first.take(np.zeros(n, np.int64))
        drawn = {"document_id": ids, key: ids, "path": pc.binary_join_element_wise(ids, ".txt", "")}
        if name == "chunks":
            centres = dice.standard_normal((EMBEDDED, first.schema.field("vector").type.list_size), dtype=np.float32)
            vectors = around(centres / np.linalg.norm(centres, axis=1, keepdims=True), n, seed=1)
            drawn["vector"] = pa.FixedSizeListArray.from_arrays(vectors.ravel(), vectors.shape[1])
        for column, values in drawn.items():
            rows = rows.set_column(rows.schema.names.index(column), rows.schema.field(column), values)
        lance.replace_documents(lance.open_table(corpus, name), rows.to_reader(), first["document_id"].to_pylist())
    publish_heads(corpus, n)
    return corpus


def change_document(corpus: Corpus, number: int) -> None:
    """Publish a generation in which a document has another text."""
    live, name = published.read_live_generation(corpus), digest("drawn", number)
    for table in ("documents", "chunks"):
        rows = published.read_columns(corpus, live, table, None, f"document_id = '{name}'")
        changed = rows.set_column(
            rows.schema.names.index("text"), rows.schema.field("text"), pa.array(["Changed."], rows["text"].type)
        )
        lance.replace_documents(lance.open_table(corpus, table), changed.to_reader(), [name])
    publish_heads(corpus, live.counts["n_documents"])


def publish_heads(corpus: Corpus, n: int) -> None:
    """Index the heads of the tables, and publish them as the next generation."""
    live, versions = published.read_live_generation(corpus), {}
    for name in live.versions:
        table = lance.open_table(corpus, name)
        indexes.maintain_indexes(table)
        versions[name] = int(table.version)
    successor = make_successor(live, live, versions, uuid4().hex, "refresh", held=False)
    publish_successor(corpus, successor.model_copy(update={"counts": {**live.counts, "n_documents": n}}), time.time())


def deliver(corpus: Corpus, to: str) -> None:
    """Deliver the live generation."""
    deliver_live_generation(corpus, "benchmark", DestinationOptions(to=to))


def time_call(call: Callable[[], object]) -> float:
    """Return the seconds that a call takes."""
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def count_bytes_read() -> int:
    """Return how many bytes this process has read, from files and others."""
    return int(Path("/proc/self/io").read_text().split()[1])


if __name__ == "__main__":
    main()
