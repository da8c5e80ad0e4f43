from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from schemas.corpus import Corpus
from tasks.refresh.io.source import contents
from tasks.refresh.io.source.contents import HASHES
from tasks.refresh.io.source.memory import FEW_NEWS

Memory = dict[str, tuple[int, int, str, int]]
MEMORIES = st.dictionaries(
    st.sampled_from("abcdefgh"),
    st.tuples(st.integers(0, 3), st.integers(0, 3), st.sampled_from(["x", "y"]), st.integers(1, 9)),
    min_size=1,
)


def table(memory: Memory) -> pa.Table:
    rows = [(path, *seen) for path, seen in memory.items()]
    return pa.Table.from_pylist([dict(zip(HASHES.names, row, strict=True)) for row in rows], schema=HASHES)


def recalled(corpus: Corpus) -> Memory:
    """Return what is remembered last of each path."""
    rows = contents.recall_hashes(corpus, "main").to_pylist()
    return {row["path"]: (row["size"], row["mtime_ns"], row["sha256"], row["read_at_ns"]) for row in reversed(rows)}


def remember(corpus: Corpus, found: Memory) -> None:
    known = recalled(corpus)
    new = {path: seen for path, seen in found.items() if known.get(path) != seen}
    contents.remember_hashes(corpus, "main", table(found), table(new), contents.recall_hashes(corpus, "main"))


@given(nights=st.lists(MEMORIES, min_size=1, max_size=5))
def test_what_was_found_last_is_recalled(nights: list[Memory]) -> None:
    with TemporaryDirectory() as folder:
        corpus = Corpus(folder)
        for found in nights:
            remember(corpus, found)
            known = recalled(corpus)
            assert {path: known[path] for path in found} == found


def memory(n: int) -> Memory:
    return {f"{number}.txt": (number, number, "x", 1) for number in range(n)}


def test_a_few_new_files_do_not_rewrite_the_memory_of_the_others_and_many_do(tmp_path: Path) -> None:
    corpus = Corpus(str(tmp_path))
    remember(corpus, memory(2000))
    whole = contents.place_hashes(corpus, "main").read_bytes()
    remember(corpus, memory(2003))
    assert contents.place_hashes(corpus, "main").read_bytes() == whole
    assert recalled(corpus) == memory(2003)
    remember(corpus, memory(2000 + 4 * FEW_NEWS))
    assert not contents.place_new_hashes(corpus, "main").exists()
    assert recalled(corpus) == memory(2000 + 4 * FEW_NEWS)


def test_nothing_new_writes_nothing(tmp_path: Path) -> None:
    corpus = Corpus(str(tmp_path))
    remember(corpus, memory(3))
    times = [path.stat().st_mtime_ns for path in corpus.plans.iterdir()]
    remember(corpus, memory(3))
    assert [path.stat().st_mtime_ns for path in corpus.plans.iterdir()] == times
