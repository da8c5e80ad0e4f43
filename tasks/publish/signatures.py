"""Signatures: what tells which documents may say nearly the same, without a look at their texts.

A text is the set of its shingles: runs of SHINGLE_WORDS words. The Jaccard similarity of two sets is the share of what either
has that both have. MinHash (Broder, 1997) draws an order of all shingles and keeps the first of a set: two sets keep the same
one with a probability equal to their similarity. A signature has BANDS bands, each a hash of BAND_ROWS such draws: sets of
similarity s share a band with probability 1 - (1 - s ** BAND_ROWS) ** BANDS, which is .998 at .8, .28 at .5 and .015 at .3.
"""

import zlib
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from schemas.tables.documents import BANDS
from tasks.language.words import is_unspaced_writing, tokenize_words
from tasks.publish.keys import MULTIPLIER

Hashes = NDArray[np.uint64]
"""Hashes of shingles, each once, in ascending order."""

SHINGLE_WORDS = 5
BAND_ROWS = 6
SLICE = 512
"""Shingles that are hashed at once: BANDS * BAND_ROWS * SLICE hashes are 240 kB, which a processor's cache holds."""

_SEED = np.random.SeedSequence(1997).generate_state(2 * BANDS * BAND_ROWS, np.uint32)
_FACTORS, _SUMMANDS = _SEED[: BANDS * BAND_ROWS, None] | np.uint32(1), _SEED[BANDS * BAND_ROWS :, None]
_MARKS = frozenset(".!?:;\n")


def list_shingles(text: str, digest: str) -> Hashes:
    """Return the shingles of a text, whatever its case, white space and punctuation; of a text without words, `digest` (hex).

    A text of fewer words than a shingle has is one shingle.

    >>> list_shingles("The mill grinds.", "") == list_shingles("the MILL  grinds", "")
    array([ True])
    """
    words = list(_split_words(text))
    if not words:
        return np.array([int(digest[:16], 16)], np.uint64)
    codes = np.fromiter(map(_hash_word, words), np.uint64, len(words))
    n = max(len(codes) - SHINGLE_WORDS + 1, 1)
    runs = np.zeros(n, np.uint64)
    for at in range(min(SHINGLE_WORDS, len(codes))):
        runs = _mix(runs + codes[at : at + n])
    return np.unique(runs)


def _split_words(text: str) -> Iterator[str]:
    """Yield the words of a text; in writing without blanks, its letters."""
    for word in tokenize_words(text.casefold()):
        if word not in _MARKS:
            yield from word if is_unspaced_writing(word) else (word,)


@lru_cache(65_536)
def _hash_word(word: str) -> int:
    return zlib.crc32(word.encode("utf-8", "surrogatepass")) + 1


def _mix(values: Hashes) -> Hashes:
    """Return well-spread hashes (the finaliser of SplitMix64)."""
    values = values * MULTIPLIER
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


def draw_min_hashes(shingles: Hashes) -> NDArray[np.uint32]:
    """Return the least hash of shingles in each of BANDS * BAND_ROWS orders."""
    halves = (shingles >> np.uint64(32)).astype(np.uint32)
    parts = (halves[at : at + SLICE] for at in range(0, len(halves), SLICE))
    hashes: NDArray[np.uint32] = np.minimum.reduce([(part * _FACTORS + _SUMMANDS).min(axis=1) for part in parts])
    return hashes


def make_signature(shingles: Hashes) -> NDArray[np.uint32]:
    """Return the signature of shingles: BANDS numbers of 32 bits."""
    rows = draw_min_hashes(shingles).reshape(BANDS, BAND_ROWS).astype(np.uint64)
    bands = np.zeros(BANDS, np.uint64)
    for at in range(BAND_ROWS):
        bands = _mix(bands + rows[:, at] + np.uint64(1))
    signature: NDArray[np.uint32] = (bands >> np.uint64(32)).astype(np.uint32)
    return signature


def make_signatures(texts: Sequence[str], digests: Sequence[str]) -> pa.Array:
    """Return the signatures of documents, from their texts and the SHA-256 of their files."""
    made = [make_signature(list_shingles(*one)) for one in zip(texts, digests, strict=True)]
    return pa.FixedSizeListArray.from_arrays(pa.array(np.concatenate([np.empty(0, np.uint32), *made])), BANDS)


def compute_jaccard(one: Hashes, other: Hashes) -> float:
    """Return the Jaccard similarity of two sets of shingles, in [0, 1].

    >>> compute_jaccard(np.array([1, 2, 3], np.uint64), np.array([2, 3, 4], np.uint64))
    0.5
    """
    both = len(np.intersect1d(one, other, assume_unique=True))
    return both / (len(one) + len(other) - both)
