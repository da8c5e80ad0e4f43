from collections import Counter

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from schemas.ids import digest
from tasks.publish.keys import (
    convert_ids_to_fingerprints,
    find_repeated_fingerprints,
    list_repeated_ids,
    select_ids_by_fingerprint,
)

PARTS = st.lists(st.lists(st.integers(0, 40), max_size=20), max_size=6)


@given(parts=PARTS)
def test_ids_that_are_there_more_than_once_are_found_in_whatever_parts_they_come(parts: list[list[int]]) -> None:
    columns = [pa.chunked_array([[digest(number) for number in part]], pa.string()) for part in parts]
    twice = find_repeated_fingerprints([convert_ids_to_fingerprints(column) for column in columns])
    found = list_repeated_ids(name for column in columns for name in select_ids_by_fingerprint(column, twice))
    counts = Counter(digest(number) for part in parts for number in part)
    assert Counter(found) == Counter({name: n for name, n in counts.items() if n > 1})
