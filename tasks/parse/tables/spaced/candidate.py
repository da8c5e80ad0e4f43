"""Candidates: where a table may be."""

from typing import NamedTuple

from tasks.parse.layout.geometry import Box


class Candidate(NamedTuple):
    """A box in which a table may be, and why there is none, "" if there is."""

    box: Box
    veto: str
