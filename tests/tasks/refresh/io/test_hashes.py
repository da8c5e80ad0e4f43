from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from schemas.corpus import Corpus
from tasks.refresh.io import hashes
from tasks.refresh.io.hashes import FEW_NEWS, Known, Stamp

MEMORIES = st.dictionaries(
    st.builds(Stamp, st.sampled_from("abcdefgh"), st.integers(0, 3), st.integers(0, 3)),
    st.builds(Known, st.sampled_from(["x", "y"]), st.integers(1, 9)),
    min_size=1,
)


@given(nights=st.lists(MEMORIES, min_size=1, max_size=5))
def test_what_was_found_last_is_recalled(nights: list[dict[Stamp, Known]]) -> None:
    with TemporaryDirectory() as folder:
        corpus = Corpus(folder)
        for found in nights:
            hashes.remember(corpus, "main", found, hashes.recall(corpus, "main"))
            recalled = hashes.recall(corpus, "main")
            assert {stamp: recalled[stamp] for stamp in found} == found


def memory(n: int) -> dict[Stamp, Known]:
    return {Stamp(f"{number}.txt", number, number): Known("x", 1) for number in range(n)}


def test_a_few_new_files_do_not_rewrite_the_memory_of_the_others_and_many_do(tmp_path: Path) -> None:
    corpus = Corpus(str(tmp_path))
    hashes.remember(corpus, "main", memory(2000), {})
    whole = hashes.path_of(corpus, "main").read_bytes()
    hashes.remember(corpus, "main", memory(2003), hashes.recall(corpus, "main"))
    assert hashes.path_of(corpus, "main").read_bytes() == whole
    assert hashes.recall(corpus, "main") == memory(2003)
    hashes.remember(corpus, "main", memory(2000 + 4 * FEW_NEWS), hashes.recall(corpus, "main"))
    assert not hashes.news_path_of(corpus, "main").exists()
    assert hashes.recall(corpus, "main") == memory(2000 + 4 * FEW_NEWS)


def test_nothing_new_writes_nothing(tmp_path: Path) -> None:
    corpus = Corpus(str(tmp_path))
    hashes.remember(corpus, "main", memory(3), {})
    times = [path.stat().st_mtime_ns for path in corpus.plans.iterdir()]
    hashes.remember(corpus, "main", memory(3), hashes.recall(corpus, "main"))
    assert [path.stat().st_mtime_ns for path in corpus.plans.iterdir()] == times
