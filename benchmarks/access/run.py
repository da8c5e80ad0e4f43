"""Milliseconds of a search by who asks, in one corpus: its owner, someone who may read 99 % of it, someone who may read 1 %.

The owner asks with a condition that keeps 1 %, too. All take turns at each question, so a busy machine is busy for all. Then the
rights of 10,000 documents change.
"""

import argparse
import os
import tempfile
import time
from functools import partial
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from benchmarks.report import cache_folder, say, say_bar, say_table

if TYPE_CHECKING:
    from tasks.search.io.retrieve import Searcher

BARS = {100_000: 0.10, 1_000_000: 0.15}
"""Largest share by which access may slow a search."""
LEAST_RECALL = 0.98
RIGHTS, RIGHTS_SECONDS = 10_000, 10.0
K = 5
FILTERED = "owner, where 1 % is kept"


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="100000", help="chunks of each corpus; 1000000 takes an hour to draw")
    parser.add_argument("--rights", type=int, default=RIGHTS, help="documents whose rights change")
    given = parser.parse_args()
    for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    with tempfile.TemporaryDirectory(dir=cache_folder()) as folder:
        for size in map(int, filter(None, given.sizes.split(","))):
            _time_searches(Path(folder), size)
        if given.rights:
            _time_rights(Path(folder), given.rights)


def _time_searches(folder: Path, size: int) -> None:
    from benchmarks.search.drawn import COMMON, RARE, drawn_corpus
    from benchmarks.search.texts import sentences
    from schemas.access import GROUPS, LISTED, OWNER, Principal
    from tasks.search.io.retrieve import CorpusEmbedder, Searcher
    from tasks.store import published

    drawn = drawn_corpus(folder, size, sentences(), {GROUPS: LISTED})
    live = published.read_live_generation(drawn.corpus)
    embedding = CorpusEmbedder(drawn.corpus, live, light=True)
    first = Searcher(drawn.corpus, live, OWNER, embedding=embedding)
    opened = {"owner": first}
    for name, groups in (("may read 99 %", [COMMON]), ("may read 1 %", [RARE])):
        opened[name] = first.open_for(Principal(groups))
    ways = {name: partial(searcher.search, k=K) for name, searcher in opened.items()}
    ways[FILTERED] = partial(first.search, k=K, where=f"array_has({GROUPS}, '{RARE}')")
    for question in drawn.others:
        for ask in ways.values():
            ask(question)
    first.chunks.resident.wait()
    for mode in ("dense", "hybrid"):
        taken: dict[str, list[float]] = {name: [] for name in ways}
        for question in drawn.questions * 3:
            for name, ask in ways.items():
                began = time.perf_counter()
                ask(question, mode=mode)
                taken[name].append((time.perf_counter() - began) * 1000)
        medians = {name: median(values) for name, values in taken.items()}
        say_table([f"{mode}, ms"], {name: [value] for name, value in medians.items()}, 1)
        for name in list(opened)[1:]:
            say_bar(f"{mode}, {name}: slower by", medians[name] / medians["owner"] - 1, BARS[size], at_most=True)
        say_bar(f"{mode}, {FILTERED}: slower by", medians[FILTERED] / medians["owner"] - 1, 0, at_most=True)
    for name, searcher in list(opened.items())[1:]:
        say_bar(f"{name}: share of the ten nearest that is found", _measure_recall(searcher, drawn.questions), LEAST_RECALL)


def _measure_recall(searcher: "Searcher", questions: list[str]) -> float:
    """Return the share of the ten nearest chunks that may be read, by comparing all, that a search finds."""
    import numpy as np

    rows = searcher.tables.read("chunks", ["chunk_id", "vector"])
    vectors = rows["vector"].combine_chunks().flatten().to_numpy().reshape(rows.num_rows, -1)
    names, found = np.array(rows["chunk_id"].to_pylist()), []
    for question, vector in zip(questions, searcher.embedder.encode_queries(questions), strict=True):
        nearest = set(names[np.argsort(-(vectors @ vector))[:10]].tolist())
        got = {hit.chunk_id for hit in searcher.search(question, 10, "dense", returned="chunks")}
        found.append(len(nearest & got) / len(nearest))
    return float(np.mean(found))


def _time_rights(folder: Path, n: int) -> None:
    import pagemill
    from benchmarks.peers.pipelines import make_stub
    from schemas.access import GROUPS, LISTED

    source, corpus = folder / "rights/source", folder / "rights/corpus"
    source.mkdir(parents=True)
    for at in range(n):
        (source / f"{at:05d}.txt").write_text(f"Note {at}: the pump of hall {at % 97} was cleaned by team {at % 13}.\n")
    model = make_stub(folder / "model")
    seconds = []
    for groups in ("finance", "finance;board"):
        lines = [f"{at:05d}.txt,{groups}" for at in range(n)]
        (source / "metadata.csv").write_text("\n".join(["path,groups", *lines]) + "\n")
        began = time.monotonic()
        outcome = pagemill.refresh(source, corpus, columns={GROUPS: LISTED}, embed={"model": str(model)})
        seconds.append(time.monotonic() - began)
    computed = {step: done["computed"] for step, done in outcome["steps"].items()}
    say(f"{n:,} documents built in {seconds[0]:.0f} s; their rights changed in {seconds[1]:.1f} s; computed: {computed}")
    seen = pagemill.open(corpus, as_=pagemill.Principal(["board"])).documents(["path"]).num_rows
    say_bar("share of them that is read by who may since", seen / n, 1)
    say_bar("rows that a step computed", sum(computed.values()), 0, at_most=True)
    say_bar("seconds for their rights", seconds[1], RIGHTS_SECONDS, at_most=True)


if __name__ == "__main__":
    main()
