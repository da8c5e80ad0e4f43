"""Keys: which ids are there more than once, told from eight bytes of each."""

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

Fingerprints = NDArray[np.uint64]
DIGITS = 16


def fingerprints(ids: pa.ChunkedArray) -> Fingerprints:
    """Return the number that the first 16 hexadecimal digits of each id are.

    >>> fingerprints(pa.chunked_array([["00000000000000ff00", "0000000000000010ff"]])).tolist()
    [255, 16]
    """
    digits = pc.binary_join_element_wise("0x", pc.utf8_slice_codeunits(ids, 0, DIGITS), "")
    found: Fingerprints = digits.cast(pa.uint64()).to_numpy()
    return found


def repeated(found: Sequence[Fingerprints]) -> Fingerprints:
    """Return the fingerprints that are there more than once."""
    ordered = np.sort(np.concatenate([np.empty(0, np.uint64), *found]))
    return np.unique(ordered[1:][ordered[1:] == ordered[:-1]])


def with_fingerprints(ids: pa.ChunkedArray, wanted: Fingerprints) -> list[str]:
    """Return the ids that have one of the `wanted` fingerprints."""
    chosen: list[str] = ids.filter(pa.array(np.isin(fingerprints(ids), wanted))).to_pylist()
    return chosen


def more_than_once(ids: Iterable[str]) -> list[str]:
    """Return the ids that are there more than once, each as often as it is there.

    >>> more_than_once(["b", "a", "b"])
    ['b', 'b']
    """
    return [name for name, n in Counter(ids).items() if n > 1 for _ in range(n)]
