"""Properties of the chunks of every strategy, for any document."""

import hashlib
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.options.chunking import ChunkOptions
from schemas.options.strategies import STRATEGIES
from schemas.records import DescribedDocument
from tasks.chunk.chunk import BoundaryInputs, chunk_content, make_chunks, split_document_into_sentences
from tasks.embed.vectors import Vectors
from tests.tasks.described import body, count, count_whole, described, documents, plain

OVERLAPPING = {"token-window": "overlap_tokens", "sentence": "overlap_tokens", "recursive": "overlap_tokens"}
NAMES = sorted(STRATEGIES)


def vectors_of(texts: list[str], dimension: int = 8) -> Vectors:
    """Vectors that depend on nothing but the texts."""
    rows = [np.frombuffer(hashlib.sha256(text.encode()).digest()[:dimension], dtype=np.uint8) + 0.5 for text in texts]
    found = np.array(rows, dtype=np.float32).reshape(-1, dimension)
    normalised: Vectors = found / np.linalg.norm(found, axis=1, keepdims=True)
    return normalised


def boundaries(row: DescribedDocument, options: ChunkOptions) -> BoundaryInputs:
    sentences = split_document_into_sentences(row)
    if options.strategy == "llm":
        return BoundaryInputs(breaks=sentences.starts[::3])
    return BoundaryInputs(vectors=vectors_of(sentences.texts)) if options.sentence_vectors else BoundaryInputs()


def chunks_of(row: DescribedDocument, options: ChunkOptions, counter: Any = count) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = chunk_content(row, options, counter, boundaries(row, options))["chunks"][0].as_py()
    return found


def check(row: DescribedDocument, options: ChunkOptions, counter: Any = count) -> list[dict[str, Any]]:
    """Assert exact places, order, the limit, that nothing is lost, and that a second run gives the same."""
    chunks = chunks_of(row, options, counter)
    for chunk in chunks:
        assert chunk["text"] == row["text"][chunk["start_char"] : chunk["end_char"]] == chunk["text"].strip() != ""
        most = options.longest_tokens if chunk["kind"] == "table" else options.size_tokens
        assert chunk["n_tokens"] == counter([chunk["embedding_text"]])[0] <= most
    assert all(left["start_char"] <= right["start_char"] for left, right in pairwise(chunks))
    covered = np.zeros(len(row["text"]), dtype=bool)
    for chunk in chunks:
        covered[chunk["start_char"] : chunk["end_char"]] = True
    kept = body(row)
    offset = len(row["text"]) - len(kept)
    assert all(covered[offset + i] or character.isspace() for i, character in enumerate(kept))
    assert chunks == chunks_of(row, options, counter)
    return chunks


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=25, deadline=None)
@given(row=documents(), size=st.integers(16, 64), times=st.integers(0, 3))
def test_chunks_cover_the_text_in_order_within_the_limit(name: Any, row: DescribedDocument, size: int, times: int) -> None:
    chunks = check(row, ChunkOptions(strategy=name, size_tokens=size, table_tokens=times * size or None))
    if name == "sentence-window":
        return
    assert all(left["end_char"] <= right["start_char"] for left, right in pairwise(chunks))
    assert "".join("".join(chunk["text"].split()) for chunk in chunks) == "".join(body(row).split())


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=8, deadline=None)
@given(row=documents(), size=st.integers(16, 64), wide=st.integers(0, 3))
def test_they_do_so_with_labels_and_when_counts_do_not_add_up(name: Any, row: DescribedDocument, size: int, wide: int) -> None:
    context = ("title", "section", "header", "caption")
    check(row, ChunkOptions(strategy=name, size_tokens=size, context=context, wide_table_columns=wide), count_whole)


@pytest.mark.parametrize("name", sorted(OVERLAPPING))
@settings(max_examples=25, deadline=None)
@given(row=documents(), size=st.integers(24, 64), overlap=st.integers(1, 20))
def test_overlapping_chunks_lose_nothing(name: Any, row: DescribedDocument, size: int, overlap: int) -> None:
    check(row, ChunkOptions(strategy=name, size_tokens=size, overlap_tokens=overlap))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("text", ["", "a", " ", "\r\n\r\n", "\U0001f600"])
def test_tiny_documents_are_one_chunk_or_none(name: Any, text: str) -> None:
    chunks = check(plain(text), ChunkOptions(strategy=name))
    assert [chunk["text"] for chunk in chunks] == [text] * bool(text.strip())


@pytest.mark.parametrize("name", ["token-window", "sentence", "sentence-window", "recursive", "structural", "page"])
def test_the_first_chunk_is_there_before_most_of_the_text_is_counted(name: Any) -> None:
    paragraph = "The mill turns folders of documents into a corpus, and does so every single night of the year. " * 4
    parts = [("heading", f"Part {n}", {"level": 1, "page_number": n + 1}) if n % 2 == 0 else
             ("paragraph", paragraph, {"page_number": n + 1}) for n in range(4000)]  # fmt: skip
    row = described(*parts)
    counted: list[str] = []

    def recorded(texts: Sequence[str]) -> list[int]:
        counted.extend(texts)
        return count(texts)

    rows = make_chunks(row, ChunkOptions(strategy=name, size_tokens=64), recorded, BoundaryInputs())
    first = next(rows)
    assert sum(map(len, counted)) < len(row["text"]) / 2
    assert [first, *rows] == chunks_of(row, ChunkOptions(strategy=name, size_tokens=64))


@pytest.mark.parametrize("name", NAMES)
def test_counted_characters_grow_in_proportion_to_the_text(name: Any) -> None:
    sentence = "The mill turns folders of documents into a corpus, and does so every single night of the year. "
    work = []
    for n in (40, 400):
        counted: list[int] = []

        def recorded(texts: Sequence[str], counted: list[int] = counted) -> list[int]:
            counted.extend(map(len, texts))
            return count(texts)

        row = plain((sentence * 5 + "\n\n") * n)
        options = ChunkOptions(strategy=name, size_tokens=64)
        chunk_content(row, options, recorded, boundaries(row, options))
        work.append(sum(counted))
    assert work[1] <= 10.5 * work[0]
