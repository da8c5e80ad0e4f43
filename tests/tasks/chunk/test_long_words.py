"""Words without an end take time in proportion to their length: the limit of CPU time says so, not a clock of the test."""

from collections.abc import Callable

import pytest

from schemas.options.chunking import ChunkOptions
from schemas.options.sections import LimitOptions
from schemas.records import DescribedDocument
from tasks.chunk.chunk import chunk_content
from tasks.embed.io.tokenizer import PACKAGED, find_model_folder, load_tokenizer
from tasks.workers.pool import run_in_new_worker

LETTERS = 400_000
UNITS = ("abcdefghij", "ABC.", ".", "ab1.", "(", '"', "e\u0301", "\u0301", "漢", "a\u200b", "'a", "1.", "_", "=")
SECONDS = 10
"""Of CPU time for all units together, a second or two of which they need; the first one alone took 20."""


def chunk_words(units: list[str], n_letters: int, tick: Callable[[int], None]) -> list[int]:
    """Chunk a text for each unit, whose one word repeats it; return how many letters of the word lie in chunks."""
    count = load_tokenizer(find_model_folder(PACKAGED)).count
    kept = []
    for unit in units:
        word = unit * (n_letters // len(unit))
        described: DescribedDocument = {"text": f"A start.\n\n{word}\n\nAn end.", "elements": [], "figures": [], "rejects": []}
        [row] = chunk_content(described, ChunkOptions().resolve(256), count).to_pylist()
        kept.append(sum(chunk["end_char"] - chunk["start_char"] for chunk in row["chunks"]) >= len(word))
    tick(1)
    return kept


@pytest.mark.slow
def test_a_word_of_400_kilobytes_takes_time_in_proportion_to_its_length() -> None:
    limits = LimitOptions(page_seconds=SECONDS)
    assert run_in_new_worker(chunk_words, (list(UNITS), LETTERS), limits) == [True] * len(UNITS)
