"""Duplicates: recall and precision on drawn pairs; time and memory of 100,000 documents at once, and of one more.

A document is of drawn words; its near duplicate has some of them replaced, here and there or all in one place. Which pairs are
alike is told by sets of runs of words, without hashes.
"""

import argparse
import resource
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from itertools import islice, product
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from benchmarks.report import say, say_bar, say_table
from schemas.corpus import Corpus
from schemas.ids import digest, document_id
from schemas.options.sections import PublishOptions
from schemas.tables.documents import make_documents_schema
from schemas.tables.generations import ADDED_LATER, FORMAT, GENERATIONS
from tasks.publish.io.duplicates import mark_duplicates
from tasks.publish.signatures import SHINGLE_WORDS, make_signatures
from tasks.store import lance

SCHEMA = make_documents_schema({})
LEAST_SIMILARITY = PublishOptions().least_similarity
WORDS = [f"{a}{b}{c}{d}" for a, b, c, d in product("bdfgklmnprst", "aeiou", "bcdfghjklmnpqrstvwxz", "aeio")]
AT_ONCE = 1000
"""Documents that are drawn and written together."""
LEVELS = ((0.0, 0.5), (0.5, 0.7), (0.7, 0.79), (0.79, 0.8), (0.8, 0.81), (0.81, 0.9), (0.9, 1.0))
"""Similarities of which pairs are counted together."""
RECALL, PRECISION, SECONDS, MEBIBYTES, CHANGE_SECONDS = 0.95, 0.98, 300.0, 1024.0, 0.2
"""The bars."""

Texts = tuple[str, str]


def draw_pair(rng: np.random.Generator, n_words: int, n_replaced: int, together: bool) -> Texts:
    """Return a text, and one of as many words of which some are others."""
    words = [WORDS[at] for at in rng.integers(0, len(WORDS), n_words)]
    first = int(rng.integers(0, n_words - n_replaced + 1))
    places = range(first, first + n_replaced) if together else rng.choice(n_words, n_replaced, replace=False).tolist()
    others = dict.fromkeys(places)
    return " ".join(words), " ".join(f"{word}y" if at in others else word for at, word in enumerate(words))


def draw_pairs(n: int) -> Iterator[Texts]:
    """Yield pairs of all similarities, half of them between .7 and .9."""
    rng = np.random.default_rng(44)
    for at in range(n):
        n_words, together = int(rng.integers(60, 800)), bool(at % 2)
        wanted = rng.uniform(0.7, 0.9) if at % 4 < 2 else rng.uniform(0.3, 1.0)
        lost = (n_words - SHINGLE_WORDS + 1) * (1 - wanted) / (1 + wanted)
        n_replaced = round(lost - SHINGLE_WORDS + 1 if together else lost / SHINGLE_WORDS)
        yield draw_pair(rng, n_words, min(max(n_replaced, 0), n_words), together)


def compare_runs_of_words(one: str, other: str) -> float:
    """Return the similarity of two texts by their sets of runs of words."""
    sets = [{*zip(*(text.split()[at:] for at in range(SHINGLE_WORDS)), strict=False)} for text in (one, other)]
    return len(sets[0] & sets[1]) / len(sets[0] | sets[1])


def make_documents(texts: Iterable[str], first: int) -> pa.Table:
    """Return rows of documents, numbered from `first` on, as a refresh drafts them."""
    rows = [
        {
            **dict.fromkeys(("source_name", "media_type", "recipe", "metadata_hash", "state", "title", "run_id"), ""),
            **dict.fromkeys(("n_pages", "n_elements", "n_chunks"), 1),
            "document_id": document_id("main", f"{number:07d}.txt"),
            "path": f"{number:07d}.txt",
            "sha256": digest(text),
            "metadata": "{}",
            "n_chars": len(text),
            "text": text,
        }
        for number, text in enumerate(texts, start=first)
    ]
    found = pa.Table.from_pylist(rows, schema=SCHEMA)
    signatures = make_signatures(found["text"].to_pylist(), found["sha256"].to_pylist())
    return found.set_column(SCHEMA.get_field_index("signature"), SCHEMA.field("signature"), signatures)


def write_draft(file: Path, texts: Iterable[str], first: int = 0) -> None:
    """Write the file of a draft's documents."""
    with pa.OSFile(str(file), "wb") as sink, pa.ipc.new_file(sink, SCHEMA) as writer:
        for at, part in enumerate(take_parts(texts)):
            writer.write_table(make_documents(part, first + at * AT_ONCE))


def take_parts(texts: Iterable[str]) -> Iterator[list[str]]:
    """Yield texts, AT_ONCE together."""
    left = iter(texts)
    while part := list(islice(left, AT_ONCE)):
        yield part


def read_documents(file: Path) -> pa.Table:
    """Return the documents of a draft, mapped into memory."""
    with pa.memory_map(str(file)) as source:
        return pa.ipc.open_file(source).read_all()


def measure_pairs(work: Path, n: int) -> None:
    """Print which of drawn pairs are found, by their similarity, and recall and precision."""
    pairs, file = list(draw_pairs(n)), work / "pairs.arrow"
    write_draft(file, (text for pair in pairs for text in pair))
    mark_duplicates(Corpus(str(work / "none")), file, [], LEAST_SIMILARITY)
    marks = read_documents(file).select(["document_id", "duplicate_of"]).to_pylist()
    heads = {row["document_id"]: row["duplicate_of"] or row["document_id"] for row in marks}
    ids = [document_id("main", f"{number:07d}.txt") for number in range(2 * n)]
    found = np.array([heads[one] == heads[other] for one, other in zip(ids[::2], ids[1::2], strict=True)])
    true = np.array([compare_runs_of_words(*pair) for pair in pairs])
    alike = true >= LEAST_SIMILARITY
    levels = {f"{low:g} to {high:g}": (true >= low) & (true < high + (high == 1)) for low, high in LEVELS}
    rows = {name: (float(chosen.sum()), float(found[chosen].mean())) for name, chosen in levels.items() if chosen.any()}
    say_table(["pairs", "found"], rows)
    wrong = sum(heads[one] not in ids[at - at % 2 : at - at % 2 + 2] for at, one in enumerate(ids))
    say_bar("recall of pairs from .8 on", float(found[alike].mean()), RECALL)
    say_bar("precision of pairs", float((found & alike).sum() / (found.sum() + wrong)), PRECISION)


def draw_library(n: int, n_words: int) -> Iterator[str]:
    """Yield texts, one in five of which is a near duplicate of the one before it."""
    rng = np.random.default_rng(4)
    for _ in range(n // 5):
        yield from draw_pair(rng, n_words, n_words // 100, together=False)
        yield from (draw_pair(rng, n_words, 0, together=True)[0] for _ in range(3))


def measure_library(work: Path, n: int, n_words: int) -> None:
    """Print the time and memory of many documents at once, and the time of one more."""
    file, corpus = work / "library.arrow", Corpus(str(work / "corpus"))
    say(f"{n:,} documents of {n_words} words, one in five a near duplicate")
    drawn = _time(lambda: sum(1 for _ in draw_library(n, n_words)))
    signed = _time(lambda: write_draft(file, draw_library(n, n_words))) - drawn
    marked = _time(lambda: mark_duplicates(Corpus(str(work / "none")), file, [], LEAST_SIMILARITY))
    say(f"  signatures, with the file of the draft: {signed:.1f} s; clusters: {marked:.1f} s")
    say_bar("CPU seconds", signed + marked, SECONDS, at_most=True)
    say_bar("peak MiB", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, MEBIBYTES, at_most=True)
    publish(corpus, file)
    more = work / "more.arrow"
    texts = draw_library(n, n_words)
    next(texts)
    copy = next(texts)
    for night in range(3):
        write_draft(more, [f"{copy} {night}"], n + night)
        seconds = _time(lambda: mark_duplicates(corpus, more, [], LEAST_SIMILARITY), time.perf_counter)
    say_bar("seconds of one more", seconds, CHANGE_SECONDS, at_most=True)


def publish(corpus: Corpus, file: Path) -> None:
    """Publish the documents of a draft, without any other table."""
    documents = lance.overwrite_table(corpus, "documents", read_documents(file).to_reader())
    texts = ("run_id", "recipe", "recipe_details", "embedder", "kind")
    objects = ("columns", "counts", "gate", "profile", "options")
    row: dict[str, Any] = {
        **ADDED_LATER,
        **dict.fromkeys(texts, ""),
        **dict.fromkeys(objects, "{}"),
        **{"generation": 1, "format": FORMAT, "base": 0, "held": False, "published_at": datetime.now(UTC)},
        "versions": f'{{"documents": {documents.version}}}',
    }
    lance.ensure_table(corpus, "generations", GENERATIONS).add(pa.Table.from_pylist([row], schema=GENERATIONS))


def _time(work: Callable[[], object], clock: Callable[[], float] = time.process_time) -> float:
    """Return the seconds of this process that some work takes: other programs share the machine."""
    began = clock()
    work()
    return clock() - began


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=4000)
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--words", type=int, default=500)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        measure_pairs(Path(work), given.pairs)
        measure_library(Path(work), given.documents, given.words)


if __name__ == "__main__":
    main()
