"""Keys: ids that occur more than once, found by eight bytes of each, and rows selected by the id of their document."""

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

Fingerprints = NDArray[np.uint64]
DIGITS = 16
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
"""An odd number, so that different first halves stay different: Knuth's multiplicative hashing, 2**64 by the golden ratio."""


def convert_ids_to_fingerprints(ids: pa.ChunkedArray) -> Fingerprints:
    """Return the number that the first 16 hexadecimal digits of each id are.

    >>> convert_ids_to_fingerprints(pa.chunked_array([["00000000000000ff00", "0000000000000010ff"]])).tolist()
    [255, 16]
    """
    digits = pc.binary_join_element_wise("0x", pc.utf8_slice_codeunits(ids, 0, DIGITS), "")
    found: Fingerprints = digits.cast(pa.uint64()).to_numpy()
    return found


def convert_contents_to_fingerprints(names: pa.ChunkedArray) -> Fingerprints:
    """Return a number for each content, made of the last DIGITS characters of its digest or of a name that ends with it.

    Equal digests have equal numbers, and different ones nearly always different numbers.

    >>> found = convert_contents_to_fingerprints(pa.chunked_array([["text/plain:0123456789abcdef", "0123456789abcdef", "", "a"]]))
    >>> bool(found[0] == found[1]), len(set(found.tolist()))
    (True, 3)
    """
    ends = pc.ascii_rpad(pc.utf8_slice_codeunits(names, -DIGITS), DIGITS).cast(pa.binary()).cast(pa.binary(DIGITS))
    halves = [np.frombuffer(part.buffers()[1], np.uint64, 2 * len(part), DIGITS * part.offset) for part in ends.chunks]
    pairs = np.concatenate([np.empty(0, np.uint64), *halves]).reshape(-1, 2)
    found: Fingerprints = pairs[:, 0] * MULTIPLIER + pairs[:, 1]
    return found


def find_repeated_fingerprints(found: Sequence[Fingerprints]) -> Fingerprints:
    """Return the fingerprints that are there more than once."""
    ordered = np.sort(np.concatenate([np.empty(0, np.uint64), *found]))
    return np.unique(ordered[1:][ordered[1:] == ordered[:-1]])


def select_ids_by_fingerprint(ids: pa.ChunkedArray, wanted: Fingerprints) -> list[str]:
    """Return the ids that have one of the `wanted` fingerprints."""
    chosen: list[str] = ids.filter(pa.array(np.isin(convert_ids_to_fingerprints(ids), wanted))).to_pylist()
    return chosen


def list_repeated_ids(ids: Iterable[str]) -> list[str]:
    """Return the ids that are there more than once, each as often as it is there.

    >>> list_repeated_ids(["b", "a", "b"])
    ['b', 'b']
    """
    return [name for name, n in Counter(ids).items() if n > 1 for _ in range(n)]


def exclude_rows_of_documents(rows: pa.Table, documents: Sequence[str]) -> pa.Table:
    """Return the rows, by their document_id, of all documents but these."""
    return rows.filter(pc.invert(pc.is_in(rows["document_id"], value_set=pa.array(documents, pa.string()))))
