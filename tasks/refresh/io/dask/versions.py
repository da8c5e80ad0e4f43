"""Versions: workers and scheduler must have the flow's Pagemill, since what is sent to them is code of it."""

from functools import cache
from importlib.metadata import version

NAME = "pagemill"


@cache
def here() -> str:
    """Return the version of Pagemill in this process."""
    return version(NAME)


def version_problem(expected: str, found: object, who: str) -> str:
    """Return why a process with another Pagemill cannot take part, or nothing; `found` is its version, or an error instead.

    >>> version_problem("0.2.0", "0.1.0", "worker tcp://10.0.0.7:4000")
    'worker tcp://10.0.0.7:4000 has Pagemill 0.1.0, and this refresh has 0.2.0: install the same version on all machines'
    """
    if found == expected:
        return ""
    has = f"has Pagemill {found}" if isinstance(found, str) else f"has no Pagemill ({type(found).__name__}: {found})"
    return f"{who} {has}, and this refresh has {expected}: install the same version on all machines"
