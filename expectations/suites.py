"""Look at the rows of a suite, a list of expectations; Great Expectations judges what was counted, see `expectations.judging`."""

from collections.abc import Iterable, Sequence

from expectations.expected import Expected, Tallied
from expectations.tallies import Rows, Tally


def look(name: str, rows: Iterable[Rows], n_rows: int, suite: Sequence[Expected], key: str | None = None) -> Tallied:
    """Return the suite `name` with what was counted for each expectation over `n_rows` rows that come in parts.

    A part may lack columns that another part has for the same rows. `key` is the column that identifies a row in the examples
    of what was observed.
    """
    tallies = [Tally(expected, key) for expected in suite]
    for part in rows:
        for tally in tallies:
            tally.add(part)
    return Tallied(name, n_rows, tuple((tally.expected, tally.counted) for tally in tallies))
