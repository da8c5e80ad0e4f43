"""What a phase of a run took."""

from typing import NamedTuple


class Phase(NamedTuple):
    """Seconds by the clock, and core seconds that the run left unused: the clock times the cores, less its own CPU time.

    On a machine that others use too, what they took counts as unused.
    """

    seconds: float
    idle_core_seconds: float
