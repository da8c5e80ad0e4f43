"""Signatures tell how alike documents are, and clusters are the same however they came about."""

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.publish.duplicates import Clusters, Facts
from tasks.publish.signatures import compute_jaccard, draw_min_hashes, list_shingles, make_signature

LEAST_SIMILARITY = 0.8

Document = tuple[str, tuple[int, ...]]
"""A date, and the numbers of the parts that its text consists of."""

PARTS = [" ".join(f"p{part}w{word}" for word in range(12)) for part in range(24)]


def write(parts: Sequence[int]) -> str:
    return " ".join(PARTS[part] for part in parts)


def make_clusters(documents: dict[str, Document], heads: dict[str, str]) -> tuple[Clusters, list[str]]:
    names = sorted(documents)
    shingles = [list_shingles(write(documents[name][1]), "0" * 64) for name in names]
    signatures = np.array([make_signature(one) for one in shingles], np.uint32).reshape(-1, 20)

    def measure(at: int, others: Sequence[int]) -> Iterator[float]:
        return (compute_jaccard(shingles[at], shingles[other]) for other in others)

    facts = Facts(pa.array([documents[name][0] for name in names], pa.string()), *[pa.array(names, pa.string())] * 2)
    known = np.array([names.index(heads[name]) if heads.get(name) in names else -1 for name in names], np.int64)
    return Clusters(facts, signatures, known, measure, LEAST_SIMILARITY), names


def name_heads(clusters: Clusters, names: Sequence[str]) -> dict[str, str]:
    return {name: names[head] for name, head in zip(names, clusters.heads.tolist(), strict=True) if head >= 0}


BASES = [tuple(range(12)), tuple(range(12, 24))]
documents = st.tuples(
    st.sampled_from(["", "2024-01-01", "2025-06-01"]),
    st.tuples(st.sampled_from(BASES), st.sets(st.integers(0, 11), max_size=3)).map(
        lambda drawn: tuple(part for at, part in enumerate(drawn[0]) if at not in drawn[1])
    ),
)
libraries = st.dictionaries(st.sampled_from("abcdefghijkl"), documents, max_size=12)


@settings(deadline=None)
@given(before=libraries, after=libraries)
def test_a_change_gives_the_clusters_that_all_documents_give(before: dict[str, Document], after: dict[str, Document]) -> None:
    first, names = make_clusters(before, {})
    first.update(range(len(names)))
    heads = name_heads(first, names)

    changed, names = make_clusters(after, heads)
    changed.update([at for at, name in enumerate(names) if before.get(name) != after[name] or heads.get(name, name) not in after])
    whole, names = make_clusters(after, {})
    whole.update(range(len(names)))

    assert name_heads(changed, names) == name_heads(whole, names)
    for name, head in name_heads(whole, names).items():
        alike = compute_jaccard(*(list_shingles(write(after[one][1]), "") for one in (name, head)))
        assert alike >= LEAST_SIMILARITY
        assert head not in name_heads(whole, names)
        assert after[head][0] >= after[name][0]


@settings(deadline=None, max_examples=30)
@given(n=st.integers(50, 400), shared=st.floats(0, 1), seed=st.integers(0, 2**32))
def test_signatures_estimate_similarity_within_the_bounds_of_its_error(n: int, shared: float, seed: int) -> None:
    drawn = np.random.default_rng(seed).integers(0, 2**64, 2 * n, np.uint64)
    both = int(shared * n)
    one, other = np.unique(drawn[:n]), np.unique(drawn[n - both : 2 * n - both])
    true = compute_jaccard(one, other)
    hashes = draw_min_hashes(one), draw_min_hashes(other)
    estimated = float(np.mean(hashes[0] == hashes[1]))
    assert abs(estimated - true) <= 5 * (true * (1 - true) / len(hashes[0])) ** 0.5 + 0.01


@given(text=st.text(min_size=1), digest=st.sampled_from(["a" * 64, "b" * 64]))
def test_case_and_white_space_change_no_signature(text: str, digest: str) -> None:
    shingles = list_shingles(text, digest)
    assert len(shingles) and compute_jaccard(shingles, list_shingles(f"  {text.casefold()}\n", digest)) == 1


def test_documents_without_words_are_alike_only_if_their_files_are_the_same() -> None:
    assert compute_jaccard(list_shingles("", "a" * 64), list_shingles(" \n", "a" * 64)) == 1
    assert compute_jaccard(list_shingles("", "a" * 64), list_shingles("", "b" * 64)) == 0


def test_writing_without_blanks_has_shingles_of_letters() -> None:
    one, other = "系统的安装需要管理员的权限才能继续进行", "系统的安装需要管理员的权限才能继续运行"
    assert 0.7 < compute_jaccard(list_shingles(one, ""), list_shingles(other, "")) < 1


DATED = st.tuples(
    st.none() | st.sampled_from(["2024", "2024-01-01", "2024-01-01T10:00:00", "2025-06-01"]), st.text("ab", max_size=3)
)


@given(st.lists(DATED, max_size=8))
def test_the_newest_comes_first_then_the_shortest_path_then_the_last(drawn: list[tuple[str | None, str]]) -> None:
    dates, paths = (pa.array([one[at] for one in drawn], pa.string()) for at in (0, 1))
    facts = Facts(dates, paths, pa.array(map(str, range(len(drawn))), pa.string()))
    wanted = [*range(len(drawn))]
    wanted.sort(key=lambda at: drawn[at][1], reverse=True)
    wanted.sort(key=lambda at: len(drawn[at][1]))
    wanted.sort(key=lambda at: drawn[at][0] or "", reverse=True)
    assert sorted(wanted, key=facts.order_of) == wanted
